"""Addresses of administration."""

from django.urls import URLPattern, path

from oipsce_site.administration.views.adjudicator import adjudicator, adjudicator_switch
from oipsce_site.administration.views.client import client, client_revocation
from oipsce_site.administration.views.clients import clients
from oipsce_site.administration.views.new_client import new_client
from oipsce_site.administration.views.new_person import new_person
from oipsce_site.administration.views.new_site import new_site
from oipsce_site.administration.views.new_webhook import new_webhook
from oipsce_site.administration.views.people import people
from oipsce_site.administration.views.person import person
from oipsce_site.administration.views.roles import answer_request, ask_role, revoke
from oipsce_site.administration.views.sign_in import password, second_factor, sessions
from oipsce_site.administration.views.site import site, site_masking, site_standing
from oipsce_site.administration.views.sites import sites
from oipsce_site.administration.views.standing import standing
from oipsce_site.administration.views.webhooks import webhook_removal, webhooks

app_name = "administration"

_PERSON = "people/<uuid:person_id>/"

urlpatterns: list[URLPattern] = [
    path("clients/", clients, name="clients"),
    path("clients/new/", new_client, name="new-client"),
    path("clients/<uuid:client_id>/", client, name="client"),
    path("clients/<uuid:client_id>/revocation/", client_revocation, name="client-revocation"),
    path("people/", people, name="people"),
    path("people/new/", new_person, name="new-person"),
    path(_PERSON, person, name="person"),
    path(f"{_PERSON}roles/", ask_role, name="person-roles"),
    path(f"{_PERSON}roles/<uuid:membership_id>/revocation/", revoke, name="role-revocation"),
    path(f"{_PERSON}requests/<uuid:request_id>/answer/", answer_request, name="request-answer"),
    path(f"{_PERSON}standing/", standing, name="person-standing"),
    path(f"{_PERSON}password/", password, name="person-password"),
    path(f"{_PERSON}second-factor/", second_factor, name="person-second-factor"),
    path(f"{_PERSON}sessions/", sessions, name="person-sessions"),
    path("sites/", sites, name="sites"),
    path("sites/new/", new_site, name="new-site"),
    path("sites/<uuid:site_id>/", site, name="site"),
    path("sites/<uuid:site_id>/adjudicator/", adjudicator, name="adjudicator"),
    path("sites/<uuid:site_id>/adjudicator/switch/", adjudicator_switch, name="adjudicator-switch"),
    path("sites/<uuid:site_id>/masking/", site_masking, name="site-masking"),
    path("sites/<uuid:site_id>/standing/", site_standing, name="site-standing"),
    path("webhooks/", webhooks, name="webhooks"),
    path("webhooks/new/", new_webhook, name="new-webhook"),
    path("webhooks/<uuid:webhook_id>/removal/", webhook_removal, name="webhook-removal"),
]
