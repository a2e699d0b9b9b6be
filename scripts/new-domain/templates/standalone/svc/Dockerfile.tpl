# {{title}}: Node runs the TypeScript directly. Built from the repository's root:
# docker build -f svc-{{name}}/Dockerfile -t {{name}}/svc-{{name}} .   (README.md has the options)
# A digest pins it: NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS installed
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY svc-{{name}}/package.json svc-{{name}}/
COPY mf-{{name}}/package.json mf-{{name}}/
# .npmrc names the registry that has the kit; the secret is npm's configuration with your password for it.
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace svc-{{name}}

FROM ${NODE_IMAGE}
# The heap ends well below 256 MB, so that a shortage is an error with a stack and not a kill.
ENV NODE_ENV=production NODE_OPTIONS="--max-old-space-size=192 --max-semi-space-size=8" HOST=0.0.0.0 PORT=4000
COPY --chmod=755 docker/healthy /usr/local/bin/healthy
COPY --from=installed /app /app
COPY svc-{{name}} /app/svc-{{name}}
WORKDIR /app/svc-{{name}}
ARG COMMIT
ENV COMMIT=${COMMIT}
USER node
EXPOSE 4000
HEALTHCHECK --interval=15s --timeout=30s --start-period=300s --retries=3 CMD ["healthy", "4000", "/health/ready"]
CMD ["node", "src/main.ts"]
