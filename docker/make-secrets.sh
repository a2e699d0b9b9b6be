#!/bin/sh
# Makes the secrets of a real installation: docker/make-secrets.sh [FOLDER], default ./secrets.
# Keeps existing files. Needs openssl.
set -eu
folder=${1:-secrets}
umask 077
mkdir -p "$folder"
make() {
  if [ -e "$folder/$1" ]; then echo "kept $folder/$1"; return; fi
  "$2" >"$folder/$1.new"
  # Readable by all: containers mount the single file and run as other users. The folder itself is open to its owner only.
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "made $folder/$1"
}
password() { openssl rand -hex 32; }
keyfile() { openssl rand -base64 741; }
service_account() { echo 'None yet: replace this file with the key of the Firebase service account.'; }
session_key() { openssl genpkey -algorithm ed25519; }
for user in root backup identity clinic pharmacy messages; do make "mongo-$user" password; done
make internal-calls password
make webhook-key password
make mongo-keyfile keyfile
make session-key session_key
make firebase-service-account service_account
