from flask import Flask, jsonify, request

notes = {}


def create_app(config=None):
    app = Flask(__name__)
    app.config.update(config or {})

    @app.post("/notes")
    def create():
        text = request.get_json().get("text")
        if not text:
            return jsonify(error="text is required"), 400
        note_id = len(notes) + 1
        notes[note_id] = {"id": note_id, "text": text, "done": False}
        return jsonify(notes[note_id]), 201, {"Location": f"/notes/{note_id}"}

    @app.get("/notes")
    def index():
        return jsonify(list(notes.values()))

    @app.get("/notes/<int:note_id>")
    def detail(note_id):
        if note_id not in notes:
            return jsonify(error="not found"), 404
        return notes[note_id]

    @app.patch("/notes/<int:note_id>")
    def change(note_id):
        notes[note_id].update(request.get_json())
        return notes[note_id]

    @app.delete("/notes/<int:note_id>")
    def remove(note_id):
        notes.pop(note_id, None)
        return "", 204

    return app
