"""Users, sites, memberships and what is asked and noted about them, with the database's rules.

- A user name is lower-case ASCII, so two names never look alike and differ only by case.
- No user is a Django superuser: that flag would answer yes to every permission question.
- A role is held once at a time per person and site; a revoked membership stays as history.
- Organisation-wide roles have no site, all other roles have one.
- Nobody grants a role to themselves. `granted_by` is empty only for the first people of an
  installation, who are made by a command before anybody exists who could grant.
- A role is asked for by one administrator and granted by a second one (audit_security 2d); neither
  of them is who gets it.
- Persons and sites carry a revision that every change by an administrator raises.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower

from oipsce_site.people.adjudicators import Adjudicator
from oipsce_site.people.api_clients import ApiClient, Scope, WebhookEndpoint
from oipsce_site.people.roles import ORGANISATION_ROLES, SITE_ROLES, Role

__all__ = [
    "USERNAME_PATTERN",
    "Adjudicator",
    "Answer",
    "ApiClient",
    "EndedSession",
    "EndedWhy",
    "Membership",
    "PersonAct",
    "Revised",
    "RoleRequest",
    "Scope",
    "SignInAttempt",
    "Site",
    "User",
    "UserManager",
    "WebhookEndpoint",
]

USERNAME_PATTERN = r"\A[a-z0-9][a-z0-9._@+-]{0,63}\Z"


class UserManager(BaseUserManager["User"]):
    """Makes users; the only place that hashes a first password."""

    def create_user(
        self, username: str, printed_name: str, password: str | None = None, email: str = ""
    ) -> User:
        """Create an active user without any role.

        `printed_name` is the name a signature shows. Without a password the user cannot log in by
        password. Raises ValidationError when a field or a constraint refuses the values.
        """
        user = self.model(
            username=username.lower(),
            printed_name=printed_name.strip(),
            email=self.normalize_email(email),
        )
        user.set_password(password)
        user.full_clean()
        user.save(using=self._db)
        return user

    def create_superuser(self, username: str, **_: object) -> User:
        """Refuse: Django's createsuperuser has no place here. Raises ValueError always."""
        raise ValueError(
            f"user {username!r}: superusers do not exist in this product; "
            "create a user and grant the role administrator"
        )


class Revised(models.Model):
    """What administrators change: the revision tells a form whether it shows what is stored."""

    revision = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField(null=True, blank=True)
    changed_by = models.ForeignKey(
        "people.User", on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        abstract = True


class User(AbstractBaseUser, PermissionsMixin, Revised):
    """A person who can log in; what they may do comes from their memberships only.

    `must_change_password` is set with a password that somebody else chose: until the person has
    chosen their own, every page leads to that one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(
        max_length=64,
        unique=True,
        validators=[
            RegexValidator(
                USERNAME_PATTERN,
                "A user name starts with a letter or digit and has lower-case letters, digits "
                "and . _ @ + - only.",
            )
        ],
    )
    printed_name = models.CharField(max_length=200)
    email = models.EmailField(blank=True, default="")
    is_active = models.BooleanField(default=True)
    must_change_password = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["printed_name"]

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="user_username_form", condition=Q(username__regex=USERNAME_PATTERN)
            ),
            models.CheckConstraint(
                name="user_printed_name_given", condition=Q(printed_name__regex=r"\S")
            ),
            models.CheckConstraint(name="user_never_superuser", condition=Q(is_superuser=False)),
            models.UniqueConstraint(Lower("email"), name="user_email_once", condition=~Q(email="")),
        ]

    def __str__(self) -> str:
        return self.username

    def get_full_name(self) -> str:
        """Return the printed name, as Django and allauth ask for it."""
        return self.printed_name


class Site(Revised):
    """A place of the organisation; calls belong to one, and people see only theirs.

    A retired site takes no new call and no new role; what it has stays readable to its people.
    `masks_identifiers`: its transcripts are shown without identifiers of people, until somebody
    reveals those of one call with a reason.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=200)
    retired_at = models.DateTimeField(null=True, blank=True)
    masks_identifiers = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["slug"]

    def __str__(self) -> str:
        return self.slug


class Membership(models.Model):
    """One role of one person, at one site or, for organisation-wide roles, at none."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    site = models.ForeignKey(
        Site, on_delete=models.PROTECT, related_name="memberships", null=True, blank=True
    )
    role = models.CharField(max_length=32, choices=Role.choices)
    granted_by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="grants", null=True, blank=True
    )
    granted_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="membership_site_as_role_says",
                condition=Q(role__in=SITE_ROLES, site__isnull=False)
                | Q(role__in=ORGANISATION_ROLES, site__isnull=True),
            ),
            # nulls_distinct=False: two open organisation-wide grants are one too many as well.
            models.UniqueConstraint(
                name="membership_active_once",
                fields=["user", "site", "role"],
                condition=Q(revoked_at__isnull=True),
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                name="membership_revoked_after_grant",
                condition=Q(revoked_at__isnull=True) | Q(revoked_at__gte=F("granted_at")),
            ),
            models.CheckConstraint(
                name="membership_not_granted_to_self",
                condition=Q(granted_by__isnull=True) | ~Q(granted_by=F("user")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} at {self.site_id or 'the organisation'}"


class Answer(models.TextChoices):
    """How a request for a role ended."""

    GRANTED = "GRANTED", "granted"
    DECLINED = "DECLINED", "declined"
    WITHDRAWN = "WITHDRAWN", "withdrawn"


class RoleRequest(models.Model):
    """A role that one administrator asks for somebody; a second one answers. Kept as history.

    `nonce` hides the reason in the decision log: the log holds a commitment to it.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="role_requests")
    site = models.ForeignKey(
        Site, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    role = models.CharField(max_length=32, choices=Role.choices)
    reason = models.TextField()
    nonce = models.BinaryField(max_length=32)
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    answer = models.CharField(max_length=16, choices=Answer.choices, blank=True, default="")
    answered_by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="role_request_site_as_role_says",
                condition=Q(role__in=SITE_ROLES, site__isnull=False)
                | Q(role__in=ORGANISATION_ROLES, site__isnull=True),
            ),
            models.CheckConstraint(
                name="role_request_not_for_self", condition=~Q(asked_by=F("user"))
            ),
            models.CheckConstraint(
                name="role_request_answered_by_somebody",
                condition=Q(answer="", answered_by__isnull=True, answered_at__isnull=True)
                | (~Q(answer="") & Q(answered_by__isnull=False, answered_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="role_request_granted_by_a_second",
                condition=~Q(answer=Answer.GRANTED)
                | (~Q(answered_by=F("asked_by")) & ~Q(answered_by=F("user"))),
            ),
            models.UniqueConstraint(
                name="role_request_open_once",
                fields=["user", "site", "role"],
                condition=Q(answer=""),
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} asked for {self.user_id}"


class SignInAttempt(models.Model):
    """An attempt to sign in that failed, or is being made; one that succeeds is taken away again.

    `whose` is a digest of the account, or of what was typed where there is none: people type
    passwords into the wrong field.
    """

    whose = models.CharField(max_length=64)
    address = models.GenericIPAddressField()
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["address", "at"], name="sign_in_attempt_from"),
        ]

    def __str__(self) -> str:
        return f"attempt from {self.address}"


class EndedWhy(models.TextChoices):
    """What ended a session before its time."""

    SURPLUS = "SURPLUS", "signed in elsewhere"
    ADMINISTRATOR = "ADMINISTRATOR", "by an administrator"
    OWNER = "OWNER", "by yourself, from another place"


class EndedSession(models.Model):
    """A session that was ended, so that its browser can be told why. Kept for a day.

    `key_digest` is SHA-256 of the session's key: whoever reads this table signs in with nothing.
    """

    key_digest = models.CharField(max_length=64, primary_key=True)
    why = models.CharField(max_length=16, choices=EndedWhy.choices)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"ended {self.why}"


class PersonAct(models.Model):
    """One act of administration on a person, with the words that the decision log only commits to.

    Without `by` it was a command of this installation, or the person themselves.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="acts")
    kind = models.CharField(max_length=64)
    words = models.TextField(blank=True, default="")
    nonce = models.BinaryField(max_length=32, null=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["user", "-at"], name="person_act_of_person"),
        ]

    def __str__(self) -> str:
        return self.kind
