/** A record's id on the wire: the 24 hexadecimal digits of an ObjectId. */
export const idPattern = /^[0-9a-f]{24}$/i;
