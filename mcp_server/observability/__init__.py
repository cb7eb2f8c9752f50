"""What is logged and counted of calls: never what was asked or found."""
