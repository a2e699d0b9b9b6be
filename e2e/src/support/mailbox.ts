import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Letter {
  readonly email: string;
  readonly oobCode: string;
  readonly requestType: string;
}

/**
 * The code from the latest mail of the identity provider to somebody. The emulator sends no mail: it lists what it
 * would have sent, at an address that the gateway doesn't expose.
 *
 * @param kind - e.g. PASSWORD_RESET
 */
export async function codeFromMail(kind: string, email: string): Promise<string> {
  const answer = await fetch(`${emulatorAddress()}/emulator/v1/projects/demo-clinic/oobCodes`);
  const { oobCodes } = (await answer.json()) as { oobCodes: readonly Letter[] };
  const letter = oobCodes.findLast(({ requestType, email: to }) => requestType === kind && to === email);
  if (!letter) throw new Error(`there is no ${kind} mail for ${email}`);
  return letter.oobCode;
}

/** Where the emulator listens, from its log next to the data of the clinic under test. */
function emulatorAddress(): string {
  const { CLINIC_DATA_DIR: dataDir, CLINIC_URL: url } = process.env;
  if (dataDir === undefined) {
    // For a clinic you started yourself: its internal ports follow the public one.
    const inner = new URL(url ?? '');
    return `http://127.0.0.1:${Number(inner.port) + 101}`;
  }
  const log = readFileSync(join(dataDir, 'logs', 'auth-emulator.log'), 'utf8');
  const line = log.split('\n').findLast((text) => text.includes('"msg":"listening"'));
  if (line === undefined) throw new Error('the emulator has not logged where it listens');
  return (JSON.parse(line) as { url: string }).url;
}
