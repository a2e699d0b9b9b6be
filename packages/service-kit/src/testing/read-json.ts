/**
 * The JSON of a response.
 *
 * @param status - the only one accepted; by default any 2xx
 * @throws Error with address, status and body if the response has another status
 */
export async function readJson<T>(response: Response | Promise<Response>, status?: number): Promise<T> {
  const answer = await response;
  const text = await answer.text();
  if (status === undefined ? !answer.ok : answer.status !== status)
    throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
