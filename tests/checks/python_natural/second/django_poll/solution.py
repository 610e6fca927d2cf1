from django.http import Http404, JsonResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_POST

POLLS = {1: {"question": "Tabs or spaces?", "votes": {"tabs": 0, "spaces": 0}}}


def _get_poll(pk):
    try:
        return POLLS[pk]
    except KeyError:
        raise Http404(f"no poll {pk}") from None


def poll_list(request):
    polls = [
        {"id": pk, "question": poll["question"], "total": sum(poll["votes"].values())}
        for pk, poll in sorted(POLLS.items())
    ]
    return JsonResponse({"polls": polls})


def poll_detail(request, pk):
    poll = _get_poll(pk)
    return JsonResponse({"id": pk, "question": poll["question"], "votes": poll["votes"]})


@require_POST
def poll_vote(request, pk):
    poll = _get_poll(pk)
    choice = request.POST.get("choice", "")
    if choice not in poll["votes"]:
        return JsonResponse({"error": f"unknown choice: {choice}"}, status=400)
    voted = request.session.get("voted", [])
    if pk in voted:
        return JsonResponse({"error": "already voted"}, status=403)
    poll["votes"][choice] += 1
    request.session["voted"] = [*voted, pk]
    return redirect("poll-detail", pk=pk)


urlpatterns = [
    path("polls/", poll_list, name="poll-list"),
    path("polls/<int:pk>/", poll_detail, name="poll-detail"),
    path("polls/<int:pk>/vote/", poll_vote, name="poll-vote"),
]
