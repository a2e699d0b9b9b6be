// Creates a service's database user, for its own database only, or resets the password of an existing one.
// docker/database-user.sh sets `user` and sends the password on standard input.
const admin = db.getSiblingDB('admin');
admin.auth('root', require('fs').readFileSync('/run/secrets/mongo-root', 'utf8').trim());
const rights = { pwd: require('fs').readFileSync(0, 'utf8').trim(), roles: [{ role: 'readWrite', db: user }] };
if (admin.getUser(user)) admin.updateUser(user, rights);
else admin.createUser({ user, ...rights });
print(`The database user ${user} may read and write the database ${user}.`);
