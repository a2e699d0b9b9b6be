#!/bin/sh
# Puts a newly built service in the place of the one that runs, without a request that fails:
#
#   docker/redeploy.sh svc-clinic
#
# The new one starts beside the old one, the gateway finds it, and only then the old one is stopped, which finishes what
# it is at. Compose's own settings (COMPOSE_FILE, COMPOSE_PROJECT_NAME, .env) hold here, too. It needs the memory of both.
set -eu
case ${1-} in
  svc-*) service=$1 ;;
  *) echo "usage: docker/redeploy.sh svc-NAME (front-ends: docker compose up -d --build --wait mf-NAME)" >&2; exit 2 ;;
esac

docker compose build "$service"
old=$(docker compose ps -q "$service")
count=$(printf '%s\n' "$old" | grep -c . || true)
if [ "$count" = 0 ]; then exec docker compose up -d --wait "$service"; fi

docker compose up -d --no-deps --no-recreate --scale "$service=$((count * 2))" --wait "$service"

# The gateway looks a name up every few seconds; nobody may go before it has found who comes.
for container in $(docker compose ps -q "$service"); do
  case $old in *"$container"*) continue ;; esac
  addresses=$(docker inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}' "$container")
  docker compose exec -T gateway node -e '
    const addresses = process.argv.slice(1).filter(Boolean);
    const found = async () => {
      const { parts } = await (await fetch("http://127.0.0.1:9464/health/ready")).json();
      return addresses.some((address) => Object.values(parts).some((part) => part.includes(`(${address}) ready`)));
    };
    const until = Date.now() + 60_000;
    (async () => {
      while (!(await found())) {
        if (Date.now() > until) throw new Error("the gateway has not found the new container within a minute; the old one goes on");
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    })().catch((error) => { console.error(error.message); process.exit(1); });
  ' $addresses
done

for container in $old; do
  docker stop --time 15 "$container" >/dev/null
  docker rm "$container" >/dev/null
done
docker compose up -d --no-deps --no-recreate --scale "$service=$count" --wait "$service"
