import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Page } from '@playwright/test';
import { openPage } from '../support/appearance.ts';
import { expect, isPhone, onAnyDevice, openMenu, test } from '../support/clinic.ts';
import { startApp } from '../support/first-use.ts';
import { isOwnReport } from '../support/network-log.ts';

const main = (page: Page) => page.getByRole('main');

/** The part of the page under a heading. */
function section(page: Page, heading: string) {
  return main(page)
    .locator('section, article')
    .filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
    .first();
}

async function expectLinks(scope: ReturnType<typeof main>, links: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, href] of Object.entries(links))
    await expect(scope.getByRole('link', { name, exact: true }).first()).toHaveAttribute('href', href);
}

test('the frame of the public pages has the specified menu and footer', async ({ page }) => {
  await openPage(page, '/about');
  await openMenu(page);
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Login' })).toBeVisible();
  await expect(menu.getByRole('link')).toHaveText(['Home', 'Doctors', 'Pharmacy', 'About', 'Login']);
  await expectLinks(menu, {
    Home: '/',
    Doctors: '/ourDoctors',
    Pharmacy: '/medicinestore',
    About: '/about',
    Login: '/login',
  });
  await expect(menu.getByRole('link', { name: 'About' })).toHaveAttribute('aria-current', 'page');
  await expect(menu.getByRole('link', { name: 'Home' })).not.toHaveAttribute('aria-current', 'page');

  const footer = page.getByRole('contentinfo');
  await expect(footer.getByText('Exceptional healthcare since 2010')).toBeVisible();
  await expectLinks(footer, {
    'About Us': '/about',
    Services: '/services',
    Doctors: '/ourDoctors',
    Appointments: '/appointments',
  });
  await expect(footer.getByRole('navigation').getByRole('link')).toHaveCount(4);
  await expect(footer.locator('a[href^="tel:+"]')).toBeVisible();
  await expect(footer.locator('a[href^="mailto:"]')).toBeVisible();
  await expect(footer.getByText(/Dhaka/)).toBeVisible();
  await expect(footer.getByText(/© 2025/)).toBeVisible();
  await footer.getByRole('link', { name: 'Appointments' }).click();
  await expect(page).toHaveURL('/ourDoctors');
});

test('a page opens at its top, and going back restores the position', onAnyDevice, async ({ page }) => {
  const top = () => page.evaluate(() => Math.round(scrollY));
  await openPage(page, '/');
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  expect(await top()).toBeGreaterThan(1000);
  await openPage(page, '/ourDoctors');
  expect(await top()).toBe(0);
  await page.goBack();
  await expect.poll(top).toBeGreaterThan(1000);
  await page.getByRole('contentinfo').getByRole('link', { name: 'About Us' }).click();
  await expect(page.getByRole('heading', { name: 'About Us', level: 1 })).toBeVisible();
  await expect.poll(top).toBe(0);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Your Health, Our Priority' })).toBeAttached();
  await expect.poll(top).toBeGreaterThan(1000);
});

test(
  'the home page has all its sections, in order, with their texts and links',
  onAnyDevice,
  async ({ page, request }) => {
    await page.goto('/');
    // Also for somebody who doesn't scroll.
    await expect(main(page).getByRole('heading', { name: 'What Our Patients Say' })).toBeAttached();
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText(['Your Health, Our Priority']);
    await expect(main(page).getByRole('heading', { level: 2 })).toHaveText([
      'Our Medical Services',
      'Meet Our Expert Doctors',
      'Simple Health Tips',
      'Latest Health News',
      'Frequently Asked Questions',
      'Good health, once a month',
      'Ready when you are',
      'Get In Touch',
      'What Our Patients Say',
    ]);
    await expectLinks(main(page), {
      'Book Appointment': '/dash/appoinments',
      'Learn More about our doctors': '/ourDoctors',
      'See More Doctors': '/ourDoctors',
      'Book Now': '/appointments',
    });
    await expect(main(page).getByText('Learn More')).toBeVisible();
    await expect(main(page).getByText('24/7 Care')).toBeVisible();
    for (const [heading, items] of Object.entries({
      'Our Medical Services': ['Cardiology', 'Emergency Care', 'Family Medicine', 'Preventive Care'],
      'Simple Health Tips': ['Stay Active', 'Hydrate Daily', 'Eat Balanced', 'Prioritize Sleep'],
    })) {
      await expect(section(page, heading).getByRole('heading', { level: 3 })).toHaveText(items);
    }

    const figures = main(page).getByRole('region', { name: 'The clinic in numbers' });
    // Scrolling starts the app, which takes the page over.
    await startApp(page);
    await figures.scrollIntoViewIfNeeded();
    for (const [label, figure] of Object.entries({
      'Patients Treated': '15,000+',
      'Expert Doctors': '50+',
      'Emergency Care': '24/7',
      'Success Rate': '98%',
    })) {
      await expect(
        figures
          .locator('div')
          .filter({ has: page.getByRole('term').filter({ hasText: label }) })
          .getByRole('definition'),
      ).toHaveText(figure);
    }

    // Other tests add doctors meanwhile.
    await expect(async () => {
      const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
      await openPage(page, '/');
      expect(await section(page, 'Meet Our Expert Doctors').getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(
        doctors.slice(0, 6).map(({ name }) => name),
      );
    }).toPass();

    const news = section(page, 'Latest Health News').getByRole('link');
    await expect(news).toHaveCount(3);
    for (const link of await news.all()) expect(await link.getAttribute('href')).toMatch(/^https:\/\/www\.who\.int\//);

    const touch = section(page, 'Get In Touch');
    for (const label of ['First Name', 'Last Name', 'Email', 'Message'])
      await expect(touch.getByLabel(label, { exact: true })).toBeVisible();
    await expect(touch.locator('a[href^="tel:+"]')).toBeVisible();
    await expect(touch.locator('a[href^="mailto:"]')).toBeVisible();

    const voices = main(page).getByRole('region', { name: 'Testimonials' }).getByRole('listitem');
    await expect(voices).toHaveCount(6);
    for (const voice of await voices.all()) {
      await expect(voice.getByText(/^[45] out of 5 stars$/)).toBeAttached();
      expect((await voice.boundingBox())?.width).toBeCloseTo(250, 1);
    }
  },
);

test('at most one question is open', onAnyDevice, async ({ page }) => {
  await openPage(page, '/');
  const questions = section(page, 'Frequently Asked Questions').locator('summary');
  const open = section(page, 'Frequently Asked Questions').locator('details[open] > summary');
  await expect(questions).toHaveText([/insurance/, /schedule/, /first visit/, /telemedicine/]);
  await expect(open).toHaveCount(0);
  for (const question of await questions.all()) {
    await question.click();
    await expect(open).toHaveText([await question.innerText()]);
  }
  await questions.last().click();
  await expect(open).toHaveCount(0);
});

test(
  'the forms of the home page are validated, log locally, send nothing, and thank the visitor',
  onAnyDevice,
  async ({ page }) => {
    await openPage(page, '/');
    const logged: string[] = [];
    // The browser has messages of its own, such as about files that it loaded ahead.
    page.on('console', (message) => message.type() === 'info' && logged.push(message.text()));
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && !isOwnReport(request.url())) sent.push(request.url());
    });

    const newsletter = main(page).getByRole('region', { name: 'Newsletter and booking' });
    await newsletter.getByRole('button', { name: 'Subscribe' }).click();
    await expect(newsletter.getByText('Email is required')).toBeVisible();
    await newsletter.getByLabel('Email').fill('amina@mail.example');
    await newsletter.getByRole('button', { name: 'Subscribe' }).click();
    await expect(newsletter.getByText(/^Thank you/)).toBeVisible();

    const form = page.getByRole('form', { name: 'Send us a message' });
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByLabel('First Name')).toBeFocused();
    for (const text of ['First name is required', 'Last name is required', 'Email is required', 'Message is required'])
      await expect(form.getByText(text)).toBeVisible();
    await form.getByLabel('First Name').fill('Amina');
    await form.getByLabel('Last Name').fill('Khatun');
    await form.getByLabel('Email').fill('amina');
    await form.getByLabel('Message').fill('Are you open on Friday?');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByLabel('Email')).toHaveAccessibleDescription('Enter an email address like name@example.com');
    await form.getByLabel('Email').fill('amina@mail.example');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByText(/^Thank you/)).toBeVisible();
    await expect(form.getByLabel('Message')).toHaveValue('');
    expect(logged.map((line) => line.split(' ')[0])).toEqual(['newsletter', 'message']);
    expect(sent).toEqual([]);
  },
);

test('about and services have their texts and links', onAnyDevice, async ({ page }) => {
  await openPage(page, '/about');
  await expect(main(page).getByRole('heading')).toHaveText([
    'About Us',
    'Our Mission',
    'Our Vision',
    'Our Values',
    'Compassion',
    'Excellence',
    'Integrity',
    'Community',
    'Exceptional care since 2010',
  ]);
  await expect(main(page).getByText(/since 2010\.$/)).toBeVisible();
  await expectLinks(main(page), { 'Meet Our Doctors': '/ourDoctors' });
  await openPage(page, '/services');
  await expect(page).toHaveTitle(/^Services · /);
  await expect(main(page).getByRole('heading', { level: 2 })).toHaveText([
    'Cardiology',
    'Emergency Care',
    'Family Medicine',
    'Preventive Care',
    'Not sure where to begin?',
  ]);
  await main(page).getByRole('link', { name: 'See our doctors for Cardiology' }).click();
  await expect(page).toHaveURL('/ourDoctors?specialty=Cardiologist');
});

test('login and registration have the specified fields and checks', onAnyDevice, async ({ page }) => {
  await openPage(page, '/login');
  await expect(page.getByRole('heading', { name: 'Welcome Back Log In' })).toBeVisible();
  for (const name of ['Sign In', 'ADMIN', 'DOCTOR', 'PHARMACIST', 'PATIENT'])
    await expect(main(page).getByRole('button', { name, exact: true })).toBeVisible();
  await expect(main(page).getByRole('button', { name: /Google/ })).toBeVisible();
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('short');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await password.fill('');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Password is required')).toBeVisible();
  await password.fill('Secret-77');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await main(page).getByRole('link', { name: 'Create an account' }).click();

  await expect(page).toHaveURL('/register');
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible();
  for (const label of ['First Name', 'Last Name', 'Email', 'Phone', 'Date of Birth'])
    await expect(page.getByLabel(label, { exact: true })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password');
  await expect(page.getByRole('button', { name: 'Create My Account' })).toBeVisible();
  await main(page).getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/login');
});

test('the store can be browsed without a login', async ({ page }) => {
  await openPage(page, '/medicinestore');
  // On a phone a button at the foot of the page opens the cart.
  const cart = isPhone(page)
    ? page.getByRole('button', { name: /^Cart/ })
    : page.getByRole('heading', { name: /^Cart/ });
  await expect(cart).toHaveText('Cart (0)');
  const medicines = page.getByRole('list', { name: 'Medicines' }).getByRole('listitem');
  await expect(medicines.first()).toBeVisible();
  const name = (await medicines.first().getByRole('heading').innerText()).slice(0, 5);
  await page.getByRole('searchbox').fill(name);
  await expect(medicines.filter({ hasNotText: name })).toHaveCount(0);
  await expect(medicines.first()).toBeVisible();
  await page.getByRole('searchbox').fill('');
  await page
    .getByRole('button', { name: /Add/ })
    .and(page.locator(':enabled:not([aria-disabled="true"])'))
    .first()
    .click();
  await expect(cart).toHaveText(/^Cart \(1\)/);
  if (isPhone(page)) await cart.click();
  await expect(page.getByRole('link', { name: 'Login Please To Order Medicine' })).toHaveAttribute('href', '/login');
  await expect(page.getByRole('button', { name: 'Place Order' })).toHaveCount(0);
});

test('an unknown address shows the error screen with a link home and status 404', async ({ page }) => {
  for (const path of ['/no/such/page', '/dash/no-such-page']) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible();
    await expect(page.getByText('Sorry, an unexpected error has occurred.')).toBeVisible();
    await expect(page.getByText('Not Found')).toBeVisible();
  }
  await main(page).getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { name: 'Your Health, Our Priority' })).toBeVisible();
  await page.goto('/dash/appoinments');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible({ visible: isPhone(page) });
});
