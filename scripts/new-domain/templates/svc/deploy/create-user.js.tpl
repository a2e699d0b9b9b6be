// Makes the service's user of the database, for its own database only; where it is there already it gets the password of the
// secret. A new database runs this by itself; README.md says how to run it in one that has data.
const { readFileSync } = require('fs');

const secret = (name) => readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const admin = db.getSiblingDB('admin');
admin.auth('root', secret('mongo-root'));
const rights = { pwd: secret('mongo-{{name}}'), roles: [{ role: 'readWrite', db: '{{database}}' }] };
if (admin.getUser('{{database}}')) admin.updateUser('{{database}}', rights);
else admin.createUser({ user: '{{database}}', ...rights });
