import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of a text, in hexadecimal digits; `crypto.subtle` isn't available on a plain http host name. */
export const digestOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));
