from sqlalchemy import Column, ForeignKey, Table, and_, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    pass


post_tags = Table(
    "post_tags",
    Base.metadata,
    Column("post_id", ForeignKey("posts.id"), primary_key=True),
    Column("tag_id", ForeignKey("tags.id"), primary_key=True),
)


class Author(Base):
    __tablename__ = "authors"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    posts: Mapped[list["Post"]] = relationship(
        back_populates="author", order_by="Post.id", cascade="all, delete-orphan"
    )


class Post(Base):
    __tablename__ = "posts"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    published: Mapped[bool] = mapped_column(default=False)
    author_id: Mapped[int] = mapped_column(ForeignKey("authors.id"))
    author: Mapped[Author] = relationship(back_populates="posts")
    tags: Mapped[list["Tag"]] = relationship(secondary=post_tags, back_populates="posts")


class Tag(Base):
    __tablename__ = "tags"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    posts: Mapped[list[Post]] = relationship(secondary=post_tags, back_populates="tags")


def get_or_create_tag(session, name):
    name = name.strip().lower()
    tag = session.scalar(select(Tag).where(Tag.name == name))
    if tag is None:
        tag = Tag(name=name)
        session.add(tag)
        session.flush()
    return tag


def posts_with_all_tags(session, names):
    query = select(Post).where(Post.published)
    for name in names:
        query = query.where(Post.tags.any(Tag.name == name.strip().lower()))
    return list(session.scalars(query.order_by(Post.title)))


def tag_counts(session):
    count = func.count(Post.id)
    query = (
        select(Tag.name, count)
        .outerjoin(post_tags, post_tags.c.tag_id == Tag.id)
        .outerjoin(Post, and_(Post.id == post_tags.c.post_id, Post.published))
        .group_by(Tag.id)
        .order_by(count.desc(), Tag.name)
    )
    return [tuple(row) for row in session.execute(query)]
