"""Pictures of a report, drawn as SVG inside of tables: the numbers beside each mark are real text."""
