"""The pages of the viewer: each is a function from what the app knows to markup."""
