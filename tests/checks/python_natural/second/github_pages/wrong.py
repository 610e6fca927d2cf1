import httpx


class RepoNotFound(Exception):
    pass


class RateLimited(Exception):
    def __init__(self, reset):
        super().__init__("rate limited")
        self.reset = reset


class GitHub:
    def __init__(self, client):
        self.client = client

    def list_issues(self, repo, *, state="open"):
        response = self.client.get(f"/repos/{repo}/issues", params={"state": state, "per_page": 100})
        if response.status_code == 404:
            raise RepoNotFound(repo)
        if response.status_code == 403:
            raise RateLimited(response.headers.get("X-RateLimit-Reset"))
        response.raise_for_status()
        return [issue for issue in response.json() if not issue.get("pull_request")]
