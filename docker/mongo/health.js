// Health check of the database: initiates the replica set on the first run, and passes once there is a primary.
const { readFileSync } = require('fs');

const admin = db.getSiblingDB('admin');
admin.auth('root', readFileSync('/run/secrets/mongo-root', 'utf8').trim());
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] });
}
if (!db.hello().isWritablePrimary && !db.hello().secondary) quit(1);
