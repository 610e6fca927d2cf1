import httpx


class RepoNotFound(Exception):
    pass


class RateLimited(Exception):
    def __init__(self, reset: int):
        super().__init__(f"rate limited until {reset}")
        self.reset = reset


class GitHub:
    def __init__(self, client: httpx.Client):
        self.client = client

    def _get(self, repo, url, params=None):
        response = self.client.get(url, params=params)
        if response.status_code == 404:
            raise RepoNotFound(repo)
        if response.status_code == 403 and response.headers.get("X-RateLimit-Remaining") == "0":
            raise RateLimited(int(response.headers["X-RateLimit-Reset"]))
        response.raise_for_status()
        return response

    def list_issues(self, repo, *, state="open"):
        response = self._get(repo, f"/repos/{repo}/issues", {"state": state, "per_page": 100})
        issues = response.json()
        while "next" in response.links:
            response = self._get(repo, response.links["next"]["url"])
            issues += response.json()
        return [issue for issue in issues if "pull_request" not in issue]
