# {{title}} in containers, together with all others. In .env, which Compose reads automatically:
#
#   COMPOSE_FILE=docker-compose.yml:docker-compose.{{name}}.yml
#   EXTRA_SERVICES={{name}}=http://svc-{{name}}:4000
#   EXTRA_REMOTES=mf-{{name}}=http://mf-{{name}}:8080
#
# If .env has these lines, add to them: after a colon in the first, after commas in the others. Then, with no failed requests:
#
#   docker/database-user.sh {{name}}
#   docker compose up -d --build --wait svc-{{name}} mf-{{name}}
#   docker/redeploy.sh gateway
#
# Both containers are hardened like the pharmacy's, on which they are modelled. svc-{{name}}/README.md covers the
# password and the embedded database.
services:
  mf-{{name}}:
    extends: { file: docker-compose.yml, service: mf-pharmacy }
    build: { context: ., dockerfile: docker/front-end/Dockerfile, args: { NODE_IMAGE: '${NODE_IMAGE:-node:24-bookworm-slim}', FRONT_END: mf-{{name}} } }
    image: ${CLINIC_IMAGES:-clinic}/mf-{{name}}:${CLINIC_VERSION:-latest}
    environment: { SERVICE_NAME: mf-{{name}} }
    volumes: ['releases-mf-{{name}}:/var/lib/releases']

  svc-{{name}}:
    extends: { file: docker-compose.yml, service: svc-pharmacy }
    build: { context: ., dockerfile: svc-{{name}}/Dockerfile, args: { NODE_IMAGE: '${NODE_IMAGE:-node:24-bookworm-slim}' } }
    image: ${CLINIC_IMAGES:-clinic}/svc-{{name}}:${CLINIC_VERSION:-latest}
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
  mongo-{{name}}: { file: '${SECRETS_DIR:-./svc-{{name}}/deploy}/mongo-{{name}}' }
