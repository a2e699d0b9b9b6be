const probe = 'clinic_probe';

/** Whether the browser keeps cookies of this site: without one there's no session. `navigator.cookieEnabled` can be wrong. */
export function keepsCookies(): boolean {
  try {
    document.cookie = `${probe}=1; path=/; samesite=lax`;
    const kept = document.cookie.includes(`${probe}=1`);
    document.cookie = `${probe}=; path=/; max-age=0`;
    return kept;
  } catch (error) {
    console.warn('Cookies are blocked', error);
    return false;
  }
}
