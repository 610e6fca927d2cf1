"""Work in this process: threads and asyncio."""
