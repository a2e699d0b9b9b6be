// Makes a service's user of the database, for its own database only; where it is there already it gets the password.
// docker/database-user.sh says who (`user`), and sends the password to standard input.
const admin = db.getSiblingDB('admin');
admin.auth('root', require('fs').readFileSync('/run/secrets/mongo-root', 'utf8').trim());
const rights = { pwd: require('fs').readFileSync(0, 'utf8').trim(), roles: [{ role: 'readWrite', db: user }] };
if (admin.getUser(user)) admin.updateUser(user, rights);
else admin.createUser({ user, ...rights });
print(`The database user ${user} may read and write the database ${user}.`);
