/** File names with a digest of the content, as webpack-config writes them: such files never change, and their names reveal nothing. */
export const hashedName = /^[\w-]{1,40}\.[0-9a-f]{16,32}(?:\.\w{2,5}){1,2}$/;
