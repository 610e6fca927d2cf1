from copy import deepcopy
from unittest import mock

from django.test import Client, SimpleTestCase
from django.urls import reverse

import views

POLLS = {
    2: {"question": "Vim?", "votes": {"yes": 3, "no": 1}},
    1: {"question": "Tea or coffee?", "votes": {"tea": 0, "coffee": 0}},
}


class PollTests(SimpleTestCase):
    def setUp(self):
        patcher = mock.patch.dict(views.POLLS, deepcopy(POLLS), clear=True)
        patcher.start()
        self.addCleanup(patcher.stop)

    def vote(self, pk, choice, client=None, **extra):
        return (client or self.client).post(reverse("poll-vote", args=[pk]), {"choice": choice}, **extra)

    def test_list(self):
        response = self.client.get("/polls/")
        self.assertEqual(response.status_code, 200)
        self.assertEqual(
            response.json(),
            {
                "polls": [
                    {"id": 1, "question": "Tea or coffee?", "total": 0},
                    {"id": 2, "question": "Vim?", "total": 4},
                ]
            },
        )

    def test_detail(self):
        response = self.client.get(reverse("poll-detail", kwargs={"pk": 2}))
        self.assertJSONEqual(response.content, {"id": 2, "question": "Vim?", "votes": {"yes": 3, "no": 1}})

    def test_detail_missing(self):
        self.assertEqual(self.client.get("/polls/99/").status_code, 404)

    def test_vote_redirects(self):
        response = self.vote(1, "tea")
        self.assertRedirects(response, "/polls/1/")
        self.assertEqual(views.POLLS[1]["votes"], {"tea": 1, "coffee": 0})

    def test_vote_follow(self):
        response = self.vote(1, "coffee", follow=True)
        self.assertEqual(response.json()["votes"]["coffee"], 1)

    def test_unknown_choice(self):
        response = self.vote(1, "water")
        self.assertEqual(response.status_code, 400)
        self.assertEqual(response.json(), {"error": "unknown choice: water"})

    def test_only_post(self):
        self.assertEqual(self.client.get(reverse("poll-vote", args=[1])).status_code, 405)

    def test_vote_for_missing_poll(self):
        self.assertEqual(self.vote(5, "x").status_code, 404)

    def test_one_vote_per_session_and_poll(self):
        self.assertEqual(self.vote(1, "tea").status_code, 302)
        self.assertEqual(self.vote(1, "tea").status_code, 403)
        self.assertEqual(self.vote(2, "no").status_code, 302)
        self.assertEqual(self.vote(1, "tea", client=Client()).status_code, 302)
        self.assertEqual(views.POLLS[1]["votes"]["tea"], 2)
