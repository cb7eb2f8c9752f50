"""Reading on in OSDU by its cursors."""
