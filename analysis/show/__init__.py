"""What people see: one model of a table, drawn alike everywhere; figures, the report, the pages."""
