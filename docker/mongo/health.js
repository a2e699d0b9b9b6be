// Health check of the database, which also prepares it: initiates the replica set and creates the users. It does each step
// only if it is missing, so a first start that was interrupted anywhere is completed by the next check.
// Until the first user exists, MongoDB lets a local connection do this without a password.
const { readFileSync } = require('fs');

const admin = db.getSiblingDB('admin');
const passwordOf = (name) => readFileSync(`/run/secrets/mongo-${name}`, 'utf8').trim();

function signIn() {
  try {
    admin.auth('root', passwordOf('root'));
    return true;
  } catch (error) {
    if (error.codeName !== 'AuthenticationFailed') throw error;
    return false;
  }
}

function addUser(user, roles) {
  if (!admin.getUser(user)) admin.createUser({ user, pwd: passwordOf(user), roles });
}

// False in a new database. If the password is wrong, the next command fails because it isn't allowed.
const known = signIn();
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] });
}
const state = db.hello();
if (!state.isWritablePrimary && !state.secondary) quit(1);
if (state.isWritablePrimary) {
  if (!known) {
    admin.createUser({ user: 'root', pwd: passwordOf('root'), roles: ['root'] });
    admin.auth('root', passwordOf('root'));
  }
  // Each service reads and writes its own database only; the backup user reads everything.
  for (const name of ['identity', 'clinic', 'pharmacy', 'messages']) addUser(name, [{ role: 'readWrite', db: name }]);
  addUser('backup', [{ role: 'backup', db: 'admin' }]);
}
