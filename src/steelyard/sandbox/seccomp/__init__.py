"""The filter of system calls: the list, the conditions on arguments, and the program for the kernel."""
