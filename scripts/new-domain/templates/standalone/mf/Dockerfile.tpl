# The {{title}} screens, built and served from memory. Built from the repository's root:
# docker build -f mf-{{name}}/Dockerfile -t {{name}}/mf-{{name}} .   (README.md has the options)
# A digest pins it: NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY svc-{{name}}/package.json svc-{{name}}/
COPY mf-{{name}}/package.json mf-{{name}}/

# .npmrc names the registry that has the kit; the secret is npm's configuration with your password for it.
FROM manifests AS built
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# In remote.json.
ARG COMMIT
RUN npm run build -w mf-{{name}}

# The static server is the only dependency of the repository as a whole.
FROM manifests AS server
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspaces=false

FROM ${NODE_IMAGE}
# The build is held in memory; the heap beside it is small.
ENV NODE_ENV=production NODE_OPTIONS="--max-old-space-size=64 --max-semi-space-size=4" HOST=0.0.0.0 PORT=8080 STATIC_DIR=/app/dist RELEASES_DIR=/var/lib/releases
# Earlier releases are kept here; a volume put on it takes its owner over.
RUN install -d -o node -g node /var/lib/releases
COPY --chmod=755 docker/healthy /usr/local/bin/healthy
COPY --from=server /app/node_modules /app/node_modules
# The clinic's commands call it by this name in every front-end's container.
RUN ln -s /app/node_modules/.bin/static-server /usr/local/bin/static-server
COPY --from=built /app/mf-{{name}}/dist /app/dist
# Source maps: kept with the release, and not served.
COPY --from=built /app/mf-{{name}}/maps /app/maps
WORKDIR /app
ARG COMMIT
ENV COMMIT=${COMMIT}
USER node
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=30s --start-period=300s --retries=3 CMD ["healthy", "8080", "/health/ready"]
CMD ["static-server"]
