import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from solution import Author, Post, Tag, get_or_create_tag, posts_with_all_tags, tag_counts


@pytest.fixture
def blog(session):
    ann, bob = Author(name="Ann"), Author(name="Bob")
    python, web, orm, _ = (get_or_create_tag(session, name) for name in ("python", "web", "orm", "unused"))
    session.add_all(
        [
            Post(title="Zope", author=ann, published=True, tags=[python, web]),
            Post(title="Django", author=bob, published=True, tags=[python, web, orm]),
            Post(title="Draft", author=bob, tags=[python, web, orm]),
            Post(title="Decorators", author=ann, published=True, tags=[python]),
        ]
    )
    session.commit()
    return session


def titles(posts):
    return [post.title for post in posts]


@pytest.mark.parametrize(
    "names, expected",
    [
        (["python"], ["Decorators", "Django", "Zope"]),
        (["python", "web"], ["Django", "Zope"]),
        (["orm", "WEB "], ["Django"]),
        (["unused"], []),
        ([], ["Decorators", "Django", "Zope"]),
    ],
)
def test_posts_with_all_tags(blog, names, expected):
    assert titles(posts_with_all_tags(blog, names)) == expected


def test_tag_counts(blog):
    assert tag_counts(blog) == [("python", 3), ("web", 2), ("orm", 1), ("unused", 0)]


def test_get_or_create_tag(session):
    first = get_or_create_tag(session, "  Python ")
    second = get_or_create_tag(session, "python")
    assert first is second
    assert first.name == "python"
    assert first.id is not None


def test_tests_do_not_see_each_other(session):
    assert session.scalar(select(func.count()).select_from(Tag)) == 0


def test_author_name_is_unique(blog):
    blog.add(Author(name="Ann"))
    with pytest.raises(IntegrityError):
        blog.flush()


def test_author_posts_in_order(blog):
    ann = blog.scalars(select(Author).where(Author.name == "Ann")).one()
    assert titles(ann.posts) == ["Zope", "Decorators"]


def test_deleting_an_author_deletes_posts(blog):
    blog.delete(blog.scalars(select(Author).filter_by(name="Bob")).one())
    blog.commit()
    assert sorted(blog.scalars(select(Post.title))) == ["Decorators", "Zope"]
    assert blog.scalar(select(func.count(Tag.id))) == 4


def test_relation_works_from_both_sides(blog):
    orm = get_or_create_tag(blog, "orm")
    assert {post.title for post in orm.posts} == {"Django", "Draft"}
