"""Uploaded files: unpacked and staged on disk until their job reads them."""
