// Runs once, in a new database: one user a service, for its own database only, and one who reads all to copy it.
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
