"""Addresses of catalogs; those of drafts come first: no version is called like them."""

from django.urls import URLPattern, path

from catalogs.views.catalogs import catalogs
from catalogs.views.document import document
from catalogs.views.studio.comparison import compare, draft_changes
from catalogs.views.studio.draft import (
    draft,
    draft_checked,
    draft_document,
    draft_file,
    draft_hand_in,
)
from catalogs.views.studio.draft_texts import (
    draft_text,
    draft_text_back,
    draft_text_document,
    draft_texts,
)
from catalogs.views.studio.drafts import drafts
from catalogs.views.studio.form import draft_form
from catalogs.views.studio.review import review
from catalogs.views.version import version

app_name = "catalogs"

urlpatterns: list[URLPattern] = [
    path("", catalogs, name="catalogs"),
    path("compare/", compare, name="compare"),
    path("drafts/", drafts, name="drafts"),
    path("drafts/<uuid:draft_id>/", draft, name="draft"),
    path("drafts/<uuid:draft_id>/checked", draft_checked, name="draft-checked"),
    path("drafts/<uuid:draft_id>/file", draft_file, name="draft-file"),
    path("drafts/<uuid:draft_id>/hand-in", draft_hand_in, name="draft-hand-in"),
    path("drafts/<uuid:draft_id>/document.yaml", draft_document, name="draft-document"),
    path("drafts/<uuid:draft_id>/form/", draft_form, name="draft-form"),
    path("drafts/<uuid:draft_id>/changes/", draft_changes, name="draft-changes"),
    path("drafts/<uuid:draft_id>/texts/", draft_texts, name="draft-texts"),
    path("drafts/<uuid:draft_id>/texts/<int:number>/", draft_text, name="draft-text"),
    path(
        "drafts/<uuid:draft_id>/texts/<int:number>/document.yaml",
        draft_text_document,
        name="draft-text-document",
    ),
    path("drafts/<uuid:draft_id>/texts/<int:number>/back", draft_text_back, name="draft-text-back"),
    path("<slug:slug>/<str:version>/", version, name="version"),
    path("<slug:slug>/<str:version>/review/", review, name="review"),
    path("<slug:slug>/<str:version>/document.yaml", document, name="document"),
]
