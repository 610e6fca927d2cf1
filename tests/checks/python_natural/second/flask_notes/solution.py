from flask import Flask, abort, jsonify, request, url_for


def create_app(config=None):
    app = Flask(__name__)
    app.config.update(config or {})
    notes = {}

    def find(note_id):
        return notes.get(note_id) or abort(404)

    def text_of(data):
        text = data.get("text")
        return text.strip() if isinstance(text, str) else ""

    @app.before_request
    def check_key():
        expected = app.config.get("API_KEY")
        if expected and request.headers.get("X-Api-Key") != expected:
            return jsonify(error="unauthorized"), 401

    @app.errorhandler(404)
    def not_found(error):
        return jsonify(error="not found"), 404

    @app.post("/notes")
    def create():
        text = text_of(request.get_json(silent=True) or {})
        if not text:
            return jsonify(error="text is required"), 400
        note_id = max(notes, default=0) + 1
        notes[note_id] = {"id": note_id, "text": text, "done": False}
        return jsonify(notes[note_id]), 201, {"Location": url_for("detail", note_id=note_id)}

    @app.get("/notes")
    def index():
        wanted = request.args.get("done")
        return jsonify([n for n in notes.values() if wanted is None or n["done"] == (wanted == "true")])

    @app.get("/notes/<int:note_id>")
    def detail(note_id):
        return find(note_id)

    @app.patch("/notes/<int:note_id>")
    def change(note_id):
        note, data = find(note_id), request.get_json()
        if "text" in data and not text_of(data):
            return jsonify(error="text is required"), 400
        if "text" in data:
            note["text"] = text_of(data)
        note["done"] = bool(data.get("done", note["done"]))
        return note

    @app.delete("/notes/<int:note_id>")
    def remove(note_id):
        find(note_id)
        del notes[note_id]
        return "", 204

    return app
