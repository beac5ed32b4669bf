# docker build -t starter-bot .      compose.yaml builds it as well.
# For another architecture: --platform linux/arm64, or a BASE of that architecture. A BASE needs glibc; npm and libatomic1
# are added by apt where they are missing.
ARG BASE=docker.io/library/node:26-bookworm-slim

FROM ${BASE} AS build
RUN command -v npm || { apt-get update && apt-get install --yes --no-install-recommends npm libatomic1; }
WORKDIR /build
COPY package.json package-lock.json ./
COPY runtime runtime
COPY lab/rigs/database/postgres/package.json lab/rigs/database/postgres/
# The Node of runtime/ runs npm: packages refuse the older one of a distribution.
# A base image may trust further certificates, such as those of a company's proxy.
RUN export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
 && (cd runtime && npm ci --ignore-scripts --no-audit --no-fund) \
 && PATH="$(echo /build/runtime/node_modules/node-*/bin):$PATH" npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
# Two files are kept: the Node of runtime/, with which everything is tested, and the release.
RUN runtime/node_modules/node-*/bin/node app/build/release/package.ts \
 && mv release/starter-bot-*/ /opt/starter-bot \
 && cp runtime/node_modules/node-*/bin/node /opt/node

FROM ${BASE}
RUN ldconfig -p | grep -q libatomic.so.1 \
 || { apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*; }
LABEL org.opencontainers.image.title="Starter Bot" \
      org.opencontainers.image.description="A one-page site that gives away a trading script by email" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /opt/node /usr/local/bin/node
COPY --from=build /opt/starter-bot /opt/starter-bot
# A new volume takes the owner of this folder. A folder of the host must belong to the user 10001.
RUN mkdir /data && chown 10001:10001 /data && chmod 700 /data
ENV HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/starter-bot.db
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/opt/starter-bot/start"]
