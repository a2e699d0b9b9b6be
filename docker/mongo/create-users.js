// Runs once, in a new database: one user a service, for its own database only.
const { readFileSync } = require('fs');

for (const name of ['identity', 'clinic', 'pharmacy']) {
  db.getSiblingDB('admin').createUser({
    user: name,
    pwd: readFileSync(`/run/secrets/mongo-${name}`, 'utf8').trim(),
    roles: [{ role: 'readWrite', db: name }],
  });
}
