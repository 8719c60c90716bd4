# The site, its worker and its commands, one image: which of them runs is the command's choice.
# Nothing is downloaded when it runs; it runs as a number without a name and without rights.

FROM python:3.13-slim AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
RUN python -m venv /opt/venv
COPY requirements/app.txt /tmp/app.txt
# A file that is not the one we pinned is refused.
RUN /opt/venv/bin/pip install --quiet --require-hashes --requirement /tmp/app.txt \
    && /opt/venv/bin/pip uninstall --quiet --yes pip

WORKDIR /srv/oip
COPY manage.py ./
COPY oipsce_site oipsce_site
COPY catalogs catalogs
COPY review review
COPY templates templates
COPY static static
# Named by their content and compressed once, here.
RUN DJANGO_SETTINGS_MODULE=oipsce_site.settings.dev /opt/venv/bin/python manage.py \
        collectstatic --noinput --verbosity 0 \
    && rm -rf var \
    && /opt/venv/bin/python -m compileall -q /opt/venv oipsce_site catalogs review

FROM python:3.13-slim

ARG APP_BUILD=unversioned
ENV APP_BUILD=${APP_BUILD} \
    DJANGO_SETTINGS_MODULE=oipsce_site.settings.prod \
    OIPSCE_BIND=0.0.0.0:8000 \
    PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

COPY --from=build /opt/venv /opt/venv
COPY --from=build /srv/oip /srv/oip
WORKDIR /srv/oip
USER 10001:10001
EXPOSE 8000

HEALTHCHECK --interval=15s --timeout=6s --start-period=30s CMD ["python", "-m", "oipsce_site.probe"]
CMD ["gunicorn", "--config", "python:oipsce_site.gunicorn_conf", "oipsce_site.wsgi"]
