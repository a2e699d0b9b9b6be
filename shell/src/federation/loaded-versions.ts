/** The version of each remote that this page has loaded, by name: the one that its errors and vitals belong to. */
export const loadedVersions = new Map<string, string>();
