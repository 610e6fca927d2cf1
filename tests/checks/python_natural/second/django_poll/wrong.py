from django.http import JsonResponse
from django.shortcuts import redirect
from django.urls import path

POLLS = {1: {"question": "Tabs or spaces?", "votes": {"tabs": 0, "spaces": 0}}}


def poll_list(request):
    return JsonResponse(
        {
            "polls": [
                {"id": pk, "question": poll["question"], "total": len(poll["votes"])} for pk, poll in POLLS.items()
            ]
        }
    )


def poll_detail(request, pk):
    poll = POLLS.get(pk)
    if poll is None:
        return JsonResponse({"error": "not found"}, status=404)
    return JsonResponse({"id": pk, **poll})


def poll_vote(request, pk):
    choice = request.POST.get("choice")
    votes = POLLS[pk]["votes"]
    if choice not in votes:
        return JsonResponse({"error": f"unknown choice: {choice}"}, status=400)
    if request.session.get("voted"):
        return JsonResponse({"error": "already voted"}, status=403)
    votes[choice] += 1
    request.session["voted"] = True
    return redirect("poll-detail", pk=pk)


urlpatterns = [
    path("polls/", poll_list, name="poll-list"),
    path("polls/<int:pk>/", poll_detail, name="poll-detail"),
    path("polls/<int:pk>/vote/", poll_vote, name="poll-vote"),
]
