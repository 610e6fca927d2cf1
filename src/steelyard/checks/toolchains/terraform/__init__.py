"""Check Terraform answers: the project must validate and still declare its blocks."""
