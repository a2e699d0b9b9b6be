import type { Page } from '@playwright/test';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { expect, notification, openMenu } from './clinic.ts';
import { signIn, type Patient } from './people.ts';

/** Fills in the form at /register. Their phone is +880 1555 777000. */
export async function fillRegistration(page: Page, person: Patient): Promise<void> {
  await page.getByLabel('First Name').fill(person.firstName);
  await page.getByLabel('Last Name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Phone').fill('+880 1555 777000');
  await page.getByLabel('Date of Birth').fill('1990-04-01');
  await page.getByLabel('Password', { exact: true }).fill(person.password);
}

/** Submits the form at /login. */
export async function trySigningIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await logInHere(page, { email, password });
}

/** Submits the login form of the open page, without reloading it. */
export async function logInHere(page: Page, { email, password }: Pick<Patient, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** Logs in with the form at /login and waits for the role's first page. */
export async function logInWithForm(page: Page, email: string, password: string, landing: string): Promise<void> {
  await trySigningIn(page, email, password);
  await expect(notification(page, 'Logged in successfully')).toBeVisible();
  await expect(page).toHaveURL(landing);
}

/** Logs in with the form and a demo account's prefill button, and waits for the role's first page. */
export async function logInWithButton(page: Page, role: keyof typeof demoAccounts, landing: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: role.toUpperCase(), exact: true }).click();
  await expect(page.getByLabel('Email')).toHaveValue(demoAccounts[role]);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(demoPassword);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(notification(page, 'Logged in successfully')).toBeVisible();
  await expect(page).toHaveURL(landing);
}

/** Logs somebody in by two requests, which takes a third of the form's time, and opens a page as them. */
export async function logIn(page: Page, email: string, password: string, path: string): Promise<void> {
  await signIn(page.request, { email, password });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
}

/** {@link logIn} with a demo account. */
export function logInAs(page: Page, role: keyof typeof demoAccounts, path: string): Promise<void> {
  return logIn(page, demoAccounts[role], demoPassword, path);
}

/** Logs out from any page. */
export async function logOut(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(notification(page, 'Logged out successfully')).toBeVisible();
  await expect(page).toHaveURL('/login');
}
