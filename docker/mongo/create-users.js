// Runs once in a new database. Creates one user per service, for its own database only, and a backup user that reads everything.
const { readFileSync } = require('fs');

for (const name of ['identity', 'clinic', 'pharmacy']) {
  db.getSiblingDB('admin').createUser({
    user: name,
    pwd: readFileSync(`/run/secrets/mongo-${name}`, 'utf8').trim(),
    roles: [{ role: 'readWrite', db: name }],
  });
}
db.getSiblingDB('admin').createUser({
  user: 'backup',
  pwd: readFileSync('/run/secrets/mongo-backup', 'utf8').trim(),
  roles: [{ role: 'backup', db: 'admin' }],
});
