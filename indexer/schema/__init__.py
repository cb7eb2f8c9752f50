"""What indices are: fields, analysis and versions."""
