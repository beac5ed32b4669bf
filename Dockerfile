# docker build -t starter-bot .      compose.yaml builds it as well.
# docker run -p 127.0.0.1:3000:3000 -v data:/data starter-bot      No variable is required: the log has the link to the desk.
# Pin the base by digest before you publish an image: docker buildx imagetools inspect NAME prints
# it, and --build-arg BASE=NAME@sha256:… uses it.
ARG BASE=docker.io/library/node:26.10.0-bookworm-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# A base image may trust further certificates, such as those of a company's proxy.
RUN NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN node app/build/release.ts && mv release/starter-bot-*/ /opt/starter-bot

FROM ${BASE}
LABEL org.opencontainers.image.title="Starter Bot" \
      org.opencontainers.image.description="A one-page site that gives away a trading script by email" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /opt/starter-bot /opt/starter-bot
# A new volume takes the owner of this folder. A folder of the host must belong to the user 10001.
RUN mkdir /data && chown 10001:10001 /data && chmod 700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/starter-bot.db
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/opt/starter-bot/start"]
