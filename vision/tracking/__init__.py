"""From readings of single frames to a table that stays steady and tells what happened."""
