from sqlalchemy import Column, ForeignKey, Table, func, select
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
    posts: Mapped[list["Post"]] = relationship(back_populates="author")


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
    return tag


def posts_with_all_tags(session, names):
    query = select(Post).join(Post.tags).where(Post.published, Tag.name.in_(names)).order_by(Post.title)
    return list(session.scalars(query.distinct()))


def tag_counts(session):
    query = (
        select(Tag.name, func.count(Post.id))
        .join(Tag.posts)
        .where(Post.published)
        .group_by(Tag.name)
        .order_by(func.count(Post.id).desc(), Tag.name)
    )
    return [tuple(row) for row in session.execute(query)]
