/** Variables of `.env`. */
export type Env = Readonly<Record<string, string>>;

/** Substitutes `${NAME}`, `${NAME:-default}`, `${NAME-default}` and `${NAME:+instead}`, as Compose does. */
export function interpolate(value: string, env: Env): string {
  const inner = /\$\{(\w+)(?:(:?[-+])([^${}]*))?\}/;
  let result = value;
  for (let found = inner.exec(result); found; found = inner.exec(result)) {
    const [whole, name = '', operator, other = ''] = found;
    const given = env[name];
    const isThere = operator?.startsWith(':') ? given !== undefined && given !== '' : given !== undefined;
    const put = operator?.endsWith('+') ? (isThere ? other : '') : isThere ? (given ?? '') : other;
    result = result.replace(whole, () => put);
  }
  return result;
}
