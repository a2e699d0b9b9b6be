# {{title}} in the clinic's containers, from the images of this repository. The clinic's operators put this file beside their
# docker-compose.yml, and in .env:
#
#   COMPOSE_FILE=docker-compose.yml:docker-compose.{{name}}.yml
#   EXTRA_SERVICES={{name}}=http://svc-{{name}}:4000
#   EXTRA_REMOTES=mf-{{name}}=http://mf-{{name}}:8080
#   {{NAME}}_IMAGES=registry.example/{{name}}      (not for images that this machine built)
#
# If .env has these lines, add to them: after a colon in the first, after commas in the next two. Then, with no failed requests:
#
#   openssl rand -hex 32 >mongo-{{name}} && chmod 444 mongo-{{name}}     # in SECRETS_DIR; a demo has it here
#   docker/database-user.sh {{name}}
#   docker compose up -d --wait svc-{{name}} mf-{{name}}
#   docker/redeploy.sh gateway
#
# From then on `docker/redeploy.sh svc-{{name}}` pulls and deploys the newest image, `--back` the one that ran before. With
# {{NAME}}_VERSION in .env it deploys that version, also an earlier one. Both containers are hardened like the pharmacy's, on
# which they are modelled.
services:
  mf-{{name}}:
    extends: { file: docker-compose.yml, service: mf-pharmacy }
    build: !reset null
    image: ${{{NAME}}_IMAGES:-{{name}}}/mf-{{name}}:${{{NAME}}_VERSION:-latest}
    environment: { SERVICE_NAME: mf-{{name}} }
    volumes: ['releases-mf-{{name}}:/var/lib/releases']

  svc-{{name}}:
    extends: { file: docker-compose.yml, service: svc-pharmacy }
    build: !reset null
    image: ${{{NAME}}_IMAGES:-{{name}}}/svc-{{name}}:${{{NAME}}_VERSION:-latest}
    environment:
      MONGODB_DATABASE: {{database}}
      MONGODB_USER: ${MONGODB_USER-{{database}}}
      MONGODB_PASSWORD_FILE: ${MONGODB_PASSWORD_FILE-/run/secrets/mongo-{{name}}}
      # The pharmacy's own settings.
      LOW_STOCK_BELOW: !reset null
      PHARMACY_MAX_OPEN_ORDERS: !reset null
    secrets: !override [mongo-{{name}}, internal-calls]

volumes:
  releases-mf-{{name}}: {}

secrets:
  mongo-{{name}}: { file: '${SECRETS_DIR:-.}/mongo-{{name}}' }
