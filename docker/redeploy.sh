#!/usr/bin/env bash
# Replaces parts of the running clinic without a failed request: starts the new containers beside the old ones, and stops
# the old ones once the new ones answer.
#
#   docker/redeploy.sh svc-clinic               builds it as a new version and deploys that; also shell, mf-*, gateway
#   docker/redeploy.sh all                      every part, one after the other
#   docker/redeploy.sh --back svc-clinic        deploys the image that ran before; builds nothing
#   docker/redeploy.sh --to VERSION svc-clinic  deploys an image that is kept; builds nothing
#   docker/redeploy.sh --list svc-clinic        the images that are kept
#
# Either the new version runs everywhere, or the previous version still runs with as many replicas as before and the exit
# status is 1. Compose's own settings (COMPOSE_FILE, COMPOSE_PROJECT_NAME, .env) apply here too. While both versions run, a
# part needs memory for both. REDEPLOY_WAIT_SECONDS (300): how long a new container may take until it answers.
# REDEPLOY_WATCH_SECONDS (20): how long it must then run without a fault before the old one goes.
set -euo pipefail
cd "$(dirname "$0")/.."

patience=${REDEPLOY_WAIT_SECONDS:-300}
watched=${REDEPLOY_WATCH_SECONDS:-20}
kept=5
stamp='^[0-9]{8}-[0-9]{6}'

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0" >&2; exit 2; }

# --- Arguments ---------------------------------------------------------------------------------------------------------

action=build wanted=
case ${1-} in
  --back) action=back; shift ;;
  --list) action=list; shift ;;
  --to) action=to; wanted=${2-}; [ -n "$wanted" ] || usage; shift 2 ;;
  -*) usage ;;
esac
[ $# -gt 0 ] || usage

# CLINIC_VERSION in the environment names an image for this run only; later runs of Compose use the one in .env.
if [ -n "${CLINIC_VERSION-}" ]; then
  with=$(docker compose config --images gateway | grep '/gateway:')
  without=$(env -u CLINIC_VERSION docker compose config --images gateway | grep '/gateway:')
  if [ "$with" != "$without" ]; then
    [ "$action" = build ] || fail "CLINIC_VERSION can't be combined with --$action: leave it out."
    action=to wanted=$CLINIC_VERSION
  fi
  unset CLINIC_VERSION
fi

# Every question to Compose takes a part of a second, and `all` has many: it is asked once.
config=$(docker compose config)
project=$(sed -n 's/^name: //p' <<<"$config")
# Lines of: service, image.
images=$(awk '/^[a-z]/ { inside = /^services:/ } inside && /^  [^ ]/ { name = $1; sub(/:$/, "", name) } inside && /^    image: / { print name, $2 }' <<<"$config")
services=$(cut -d' ' -f1 <<<"$images" | sort)
replaceable() { printf '%s\n' "$services" | grep -E '^(svc-|mf-|shell$|gateway$)'; }
every=
if [ "$*" = all ]; then
  every=1
  parts=$({ replaceable | grep '^svc-'; replaceable | grep -E '^(shell|mf-)'; echo gateway; } | tr '\n' ' ')
else
  parts=$*
  for part in $parts; do
    replaceable | grep -qxF -- "$part" || fail "There is no part $part to redeploy. Choose from: $(replaceable | tr '\n' ' ')all. The database, the balancer and the rest are replaced by docker compose up -d, with a short outage."
  done
fi

# Parts that are built here. The others come from other repositories: their images are pulled, or were built on this machine.
built=$(awk '/^[a-z]/ { inside = /^services:/ } inside && /^  [^ ]/ { name = $1; sub(/:$/, "", name) } inside && /^    build:/ { print name }' <<<"$config")
is_built() { grep -qxF -- "$1" <<<"$built"; }
image_of() { awk -v name="$1" '$1 == name { print $2 }' <<<"$images"; }
id_of() { docker image inspect -f '{{.Id}}' "$1" 2>/dev/null || true; }
# Versions of an image, newest first; those whose deployment failed have tags of their own, so that they push no good one out.
tags_of() { docker images --format '{{.Tag}}' "$1" | grep -E "$stamp" | sort -r || true; }
versions_of() { tags_of "$1" | grep -v -- '-failed$' || true; }
failed_of() { tags_of "$1" | grep -- '-failed$' || true; }
version_of() { # repository, image id
  local tag
  for tag in $(docker image inspect -f '{{join .RepoTags " "}}' "$2"); do
    case $tag in "$1":latest | "$1":before) ;; "$1":*) say "${tag##*:}"; return ;; esac
  done
}
containers_of() { # part, further filters of docker ps
  local part=$1
  shift
  docker ps --no-trunc --quiet --filter "label=com.docker.compose.project=$project" --filter "label=com.docker.compose.service=$part" --filter label=com.docker.compose.oneoff=False "$@"
}
name_of() { docker inspect -f '{{.Name}}' "$1" | sed 's,^/,,'; }

# Whether a container passes its health check. For an older image without `healthy`, only Docker's last result counts.
answers() {
  local check
  [ "$(docker inspect -f '{{.State.Health.Status}}' "$1")" != healthy ] || return 0
  check=$(docker inspect -f '{{range $i, $word := .Config.Healthcheck.Test}}{{if $i}}{{$word}} {{end}}{{end}}' "$1")
  # shellcheck disable=SC2086
  case $check in healthy\ *) docker exec "$1" $check >/dev/null 2>&1 ;; *) return 1 ;; esac
}
# A container that answers may have requests in flight; nobody sends any to one that doesn't.
take_away() { # container
  if answers "$1"; then docker stop --time 15 "$1" >/dev/null; fi
  docker rm --force "$1" >/dev/null
}

if [ "$action" = list ]; then
  for part in $parts; do
    image=$(image_of "$part") repository=${image%:*}
    running=$(containers_of "$part" | xargs -r docker inspect -f '{{.Image}}' | sort -u)
    say "$part:"
    for id in $running; do
      [ -n "$(version_of "$repository" "$id")" ] || say '  runs, without a version until the next deployment'
    done
    for version in $(versions_of "$repository"); do
      id=$(id_of "$repository:$version") notes=
      case $running in *"$id"*) notes=' runs' ;; esac
      if [ "$id" = "$(id_of "$repository:before")" ]; then notes="$notes ran before"; fi
      say "  $version$notes"
    done
    for version in $(failed_of "$repository"); do say "  ${version%-failed} failed"; done
  done
  exit 0
fi

# --- One at a time -----------------------------------------------------------------------------------------------------

lock=${TMPDIR:-/tmp}/redeploy-$project.lock
while ! mkdir "$lock" 2>/dev/null; do
  holder=$(cat "$lock/pid" 2>/dev/null || true)
  if [ -n "$holder" ] && kill -0 "$holder" 2>/dev/null; then fail "Another docker/redeploy.sh (process $holder) is redeploying $project: wait for it to finish."; fi
  rm -rf "$lock"
done
echo $$ >"$lock/pid"
log=$lock/log

# State for rolling back a deployment that ends early: the part, its image's tag and what it pointed to, the old containers.
part= moved_tag= tag_before= old= stopping= finished= remaining= trying=
# Images of the previous release don't have the command static-server.
publish_again='if command -v static-server; then static-server redeploy; else node packages/static-server/src/main.ts redeploy; fi'
# A build that failed is kept for a look, but not as a version to go back to. Two of each part are kept.
mark_failed() { # repository:version
  local one
  docker tag "$1" "$1-failed" 2>/dev/null || return 0
  docker image rm --no-prune "$1" >/dev/null
  for one in $(failed_of "${1%:*}" | tail -n +3); do docker image rm "${1%:*}:$one" >/dev/null 2>&1 || true; done
}
roll_back() {
  local status=$? one
  trap - EXIT
  trap '' INT TERM
  if [ -n "$moved_tag" ]; then
    if [ -n "$tag_before" ]; then docker tag "$tag_before" "$moved_tag"; else docker image rm --no-prune "$moved_tag" >/dev/null; fi
    for one in $(containers_of "$part" --all); do
      case $old in *"$one"*) ;; *) take_away "$one" ;; esac
    done
    # A front-end's servers share the releases folder, where the new one may have published itself.
    case $part in
      shell | mf-*)
        for one in $old; do
          docker exec "$one" sh -c "$publish_again" >/dev/null 2>&1 ||
            say "$part: $(name_of "$one") couldn't publish its build again. If visitors get the new one: docker compose exec svc-identity node src/releases.ts rollback $part"
        done ;;
    esac
    if [ -n "$trying" ]; then mark_failed "$trying"; fi
    say "$part: rolled back. The previous version keeps running: $(printf '%s\n' "$old" | grep -c .) replica(s)."
  fi
  if [ -n "$stopping" ]; then say "$part: the new version runs, but some old containers are still there. Run this again."; fi
  if [ -n "$finished" ]; then say "Done:$finished. Not done:$remaining."; fi
  rm -rf "$lock"
  [ "$status" != 0 ] || status=1
  exit "$status"
}
trap roll_back EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# --- Images: every build is a new version; none is overwritten ---------------------------------------------------------

build=
for part in $parts; do
  image=$(image_of "$part")
  case $action-${image##*:} in
    build-*)
      if [ "${image##*:}" = latest ] && is_built "$part"; then
        build="$build $part"
      # Any other tag names one image, which is pulled or built once.
      elif [ "${image##*:}" != latest ] && [ -n "$(id_of "$image")" ]; then
        say "$part: deploying the existing image $image. To deploy another one, change its version in .env."
      elif docker compose pull --quiet "$part" >/dev/null 2>&1; then
        say "$part: pulled the image $image."
      elif is_built "$part"; then
        docker compose build "$part"
      elif [ -n "$(id_of "$image")" ]; then
        say "$part: deploying this machine's image $image, as it can't be pulled."
      else
        fail "$part: there is no image $image on this machine, and it can't be pulled. Nothing has changed."
      fi ;;
    *-latest) ;;
    *) fail "$part: .env names the version ${image##*:}: write the one you want there, then run docker/redeploy.sh $part. A version given only here would be lost at the next docker compose up -d." ;;
  esac
done
version=
if [ -n "$build" ]; then
  commit=$(git rev-parse --short HEAD 2>/dev/null || true)
  version=$(date -u +%Y%m%d-%H%M%S)${commit:+-$commit}
  # shellcheck disable=SC2086
  COMMIT=$commit CLINIC_VERSION=$version docker compose build $build || fail "The build failed. Nothing has changed."
  # Build the backup image with the services, so that the two match.
  if [ -n "$every" ]; then docker compose --profile backup build backup || fail "The build failed. Nothing has changed."; fi
fi

# The image a part should run.
target_of() { # part, image
  local repository=${2%:*} id
  case $action-${2##*:} in
    build-latest)
      if ! is_built "$1"; then id_of "$2"; return; fi
      id=$(id_of "$repository:$version")
      # Nothing changed: it has a version already.
      if [ "$(docker images --no-trunc --format '{{.Tag}} {{.ID}}' "$repository" | grep -E "$stamp" | grep -cF " $id")" -gt 1 ]; then docker image rm "$repository:$version" >/dev/null; fi ;;
    build-*) id=$(id_of "$2") ;;
    back-*) id=$(id_of "$repository:before"); [ -n "$id" ] || fail "$1: no other version ran before this one, or its image is gone. docker/redeploy.sh --list $1 lists those that are kept." ;;
    to-*)
      id=$(id_of "$repository:$wanted")
      if [ -z "$id" ]; then docker pull --quiet "$repository:$wanted" >/dev/null 2>&1 || true; id=$(id_of "$repository:$wanted"); fi
      [ -n "$id" ] || fail "$1: there is no image $repository:$wanted. Kept: $(versions_of "$repository" | paste -sd " "). To build a new one, run docker/redeploy.sh $1 without --to and CLINIC_VERSION." ;;
  esac
  say "$id"
}

# --- One part ----------------------------------------------------------------------------------------------------------

# Removes containers that run something other than the oldest does: they are left over from a run that was cut off.
leave_oldest() { # part
  local all oldest one groups
  all=$(containers_of "$1" | xargs -r docker inspect -f '{{.Created}} {{.Image}} {{index .Config.Labels "com.docker.compose.config-hash"}} {{.Id}}' | sort)
  replicas=$(printf '%s\n' "$all" | awk 'NF { n[$2 $3]++ } END { for (k in n) if (n[k] > most) most = n[k]; print most + 0 }')
  oldest=$(printf '%s\n' "$all" | awk 'NR == 1 { print $2, $3 }')
  groups=$(printf '%s\n' "$all" | awk -v oldest="$oldest" 'NF && $2 " " $3 != oldest { print $4 }')
  for one in $groups; do
    say "$1: an earlier run was interrupted; removing $(name_of "$one")"
    take_away "$one"
  done
  for one in $(containers_of "$1" --all --filter status=created --filter status=exited --filter status=dead); do docker rm --force "$one" >/dev/null; done
}

# A program's answer inside its container. Asks with Bash, because starting Node takes seconds on a busy machine.
answer_of() { # container, port, path
  docker exec "$1" bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" && printf "GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n" "$2" >&3 && cat <&3' bash "$2" "$3" 2>/dev/null || true
}

# Whether its callers have found it: every gateway, or for a gateway every list of the balancer.
is_found() { # part, container
  local addresses gateway balancer
  addresses=$(docker inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}' "$2")
  if [ "$1" = gateway ]; then
    balancer=$(containers_of balancer | head -1)
    if [ -z "$balancer" ]; then return 0; fi
    answer_of "$balancer" 8404 '/stats;csv' |
      awk -F, -v addresses="$addresses" '
        BEGIN { n = split(addresses, wanted, " ") }
        /^# pxname/ { for (i = 1; i <= NF; i++) { if ($i == "status") status = i; if ($i == "addr") addr = i } }
        $2 ~ /^gateway/ { found[$1] += 0 }
        status && $status ~ /^UP/ { for (i = 1; i <= n; i++) if ($addr == wanted[i] ":8080") { found[$1] = 1; any = 1 } }
        END { for (list in found) if (!found[list]) exit 1; exit !any }'
    return
  fi
  for gateway in $(containers_of gateway); do
    answer_of "$gateway" 9464 /health/ready |
      awk -v addresses="$addresses" '
        { body = body $0 }
        END {
          n = split(addresses, wanted, " ")
          for (i = 1; i <= n; i++) if (index(body, "(" wanted[i] ") ready")) found = 1
          exit !found
        }' || return 1
  done
}

wait_for() { # part, container
  local until=$((SECONDS + patience)) state logged=$SECONDS name
  name=$(name_of "$2")
  until answers "$2" && is_found "$1" "$2"; do
    state=$(docker inspect -f '{{.State.Status}} {{.RestartCount}}' "$2")
    if [ "$state" != 'running 0' ]; then
      docker logs --tail 20 "$2" >&2 2>&1 || true
      fail "$1: the new version exits by itself; its last lines are above. Fix it, then run this again."
    fi
    if [ $SECONDS -ge $until ]; then
      docker logs --tail 20 "$2" >&2 2>&1 || true
      fail "$1: $name did not answer within $patience s; its last lines are above. If it only needs longer: REDEPLOY_WAIT_SECONDS=$((patience * 3)) docker/redeploy.sh $1"
    fi
    if [ $((SECONDS - logged)) -ge 20 ]; then say "$1: waiting for $name ($((until - SECONDS)) s left)"; logged=$SECONDS; fi
    sleep 0.5
  done
}

# Watches new containers beside the old ones: one that crashes after its first seconds must not replace a good one.
watch_over() { # part, containers
  local until=$((SECONDS + watched)) one state
  say "$1: it answers; the old version goes once it has done so for $watched s"
  while [ $SECONDS -lt $until ]; do
    for one in $2; do
      state=$(docker inspect -f '{{.State.Status}} {{.RestartCount}}' "$one" 2>/dev/null || echo gone)
      if [ "$state" != 'running 0' ]; then
        docker logs --tail 20 "$one" >&2 2>&1 || true
        fail "$1: the new version ran and then exited; its last lines are above. Fix it, then run this again."
      fi
    done
    sleep 0.5
  done
  for one in $2; do wait_for "$1" "$one"; done
}

deploy() { # part
  local image repository target hash one same before code fresh= named=
  image=$(image_of "$1") repository=${image%:*}
  target=$(target_of "$1" "$image")
  leave_oldest "$1"
  old=$(containers_of "$1")

  # Give what runs now and what will a version tag, so that the image outlives it.
  for one in $(printf '%s\n' "$old" | xargs -r docker inspect -f '{{.Image}}' | sort -u) $target; do
    if [ -z "$(version_of "$repository" "$one")" ]; then
      named=$repository:$(docker image inspect -f '{{.Created}}' "$one" | sed 's/^\(....\)-\(..\)-\(..\)T\(..\):\(..\):\(..\).*/\1\2\3-\4\5\6/')
      docker tag "$one" "$named"
    fi
  done

  part=$1 tag_before=$(id_of "$image") moved_tag=$image
  # A pull or a build elsewhere has moved it already.
  if [ -n "$old" ] && [ "${image##*:}" = latest ] && ! is_built "$1"; then tag_before=$(head -1 <<<"$old" | xargs docker inspect -f '{{.Image}}'); fi
  docker tag "$target" "$image"
  # A version that was here before isn't marked as failed.
  if [ "$action" = build ] && [ -n "$version" ] && [ -n "$(id_of "$repository:$version")" ]; then trying=$repository:$version
  elif [ "$action" = build ] && [ -n "$named" ] && [ "$(id_of "$named")" = "$target" ]; then trying=$named; fi
  hash=$(awk -v name="$1" '$1 == name { print $2 }' <<<"$hashes")
  same=$(printf '%s\n' "$old" | xargs -r docker inspect -f '{{.Image}} {{index .Config.Labels "com.docker.compose.config-hash"}}' | grep -cxF "$target $hash" || true)
  if [ -n "$old" ] && [ "$same" = "$replicas" ]; then
    say "$1: $(version_of "$repository" "$target") is already running with these settings."
    moved_tag= trying=
    return
  fi

  [ "$replicas" != 0 ] || replicas=1
  say "$1: starting $(version_of "$repository" "$target") beside the old version"
  # No --no-deps: Compose would store a different config hash and recreate the container next time. --no-recreate leaves
  # the dependencies as they are.
  docker compose up --detach --no-build --no-recreate --scale "$1=$((replicas + $(printf '%s\n' "$old" | grep -c . || true)))" "$1" >"$log" 2>&1 || { cat "$log" >&2; fail "$1: Compose couldn't start it."; }
  for one in $(containers_of "$1" --all); do case $old in *"$one"*) ;; *) fresh="$fresh $one" ;; esac; done
  for one in $fresh; do wait_for "$1" "$one"; done
  if [ -n "$old" ]; then watch_over "$1" "$fresh"; fi

  # Point of no return: from here on the new version stays.
  moved_tag= trying= stopping=1
  before=$(printf '%s\n' "$old" | head -1 | xargs -r docker inspect -f '{{.Image}}')
  for one in $old; do
    docker stop --time 15 "$one" >/dev/null
    code=$(docker inspect -f '{{.State.ExitCode}}' "$one")
    [ "$code" = 0 ] || say "$1: $(name_of "$one") exited with $code, not 0: requests may have been cut off"
    docker rm "$one" >/dev/null
  done
  stopping=
  if [ -n "$before" ] && [ "$before" != "$target" ]; then docker tag "$before" "$repository:before"; fi
  for one in $(versions_of "$repository" | tail -n +$((kept + 1))); do
    case $(id_of "$repository:$one") in
      "$target" | "$before" | "$(id_of "$repository:before")") ;;
      *) docker image rm "$repository:$one" >/dev/null 2>&1 || true ;;
    esac
  done
  # The same build may have failed before.
  for one in $(failed_of "$repository"); do
    if [ "$(id_of "$repository:$one")" = "$target" ]; then docker tag "$target" "$repository:${one%-failed}"; docker image rm --no-prune "$repository:$one" >/dev/null; fi
  done
  say "$1: $(version_of "$repository" "$target") runs, $replicas replica(s)."
}

hashes=$(docker compose config --hash '*')
remaining=" $parts"
for one_part in $parts; do
  deploy "$one_part"
  finished="$finished $one_part" remaining=${remaining#" $one_part"}
done

trap - EXIT
rm -rf "$lock"
