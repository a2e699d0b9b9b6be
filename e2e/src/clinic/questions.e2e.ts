import { demoAccounts } from '@clinic/demo-data/people';
import type { QuestionForm } from '@clinic/svc-clinic/contract/question-calls';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import {
  expect,
  expectAccessible,
  notification,
  onAnyDevice,
  picture,
  pressAction,
  record,
  test,
} from '../support/clinic.ts';
import { freeDayFrom } from '../support/days.ts';
import { logIn, logInAs } from '../support/log-in.ts';
import { setWidth } from '../support/appearance.ts';
import { layoutFaultsOf } from '../support/layout-faults.ts';
import { widths } from '../support/pages.ts';
import { registerPatient } from '../support/people.ts';

test(
  'an admin writes questions, a patient answers them on a phone after booking, and the doctor reads the answers',
  onAnyDevice,
  async ({ page, browser, request }, { project }) => {
    const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
    const doctor = doctors.find(({ email }) => email === demoAccounts.doctor);
    if (!doctor) throw new Error('the demo clinic lacks the doctor');
    const { specialization } = doctor;
    const run = Date.now().toString(36);
    const hurts = `Since when does it hurt? (${run})`;
    const office = await (await browser.newContext()).newPage();
    const phone = await (
      await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    ).newPage();

    await test.step('the admin writes two questions', async () => {
      await logInAs(office, 'admin', '/dash/questions');
      await expect(office.getByRole('heading', { level: 1, name: 'Questions Before Visits' })).toBeVisible();
      await expectAccessible(office);
      await picture(office, 'questions');
      await office.goto(`/dash/questions?form=${encodeURIComponent(specialization)}`);
      const form = office.getByRole('form', { name: `Questions: ${specialization}` });
      // An earlier run has left its own.
      while ((await form.getByRole('group').count()) > 1)
        await form.getByRole('button', { name: 'Remove question 2' }).click();
      await form.getByLabel('Question', { exact: true }).fill(hurts);
      await form.getByLabel('Answer', { exact: true }).selectOption('Short text');
      await form.getByRole('button', { name: 'Add a question' }).click();
      await form.getByLabel('Question', { exact: true }).nth(1).fill('Which of these do you take?');
      await form.getByLabel('Answer', { exact: true }).nth(1).selectOption('Any of several choices');
      await form.getByLabel('Choices').fill('Aspirin\nInsulin');
      await form.getByRole('switch').nth(1).check();
      await expect(office.getByRole('region', { name: 'As patients see it' }).getByText('Insulin')).toBeVisible();
      await expectAccessible(office);
      await picture(office, 'questions-edited');
      for (const width of widths) {
        await setWidth(office, width);
        expect(await layoutFaultsOf(office), `${width} px`).toEqual([]);
      }
      await expectAccessible(office);
      await picture(office, 'questions-edited-narrow');
      await form.getByRole('button', { name: 'Save the questions' }).click();
      await expect(notification(office, /^The questions are saved/)).toBeVisible();
    });

    const patient = await registerPatient(request, 'Quentin', project.name);
    const name = `${patient.firstName} ${patient.lastName}`;

    await test.step('the patient books on a phone, and is asked', async () => {
      const day = await freeDayFrom(request, doctor._id, 30);
      const times = (await (await request.get(`/doctors/${doctor._id}/free-times?date=${day}`)).json()) as {
        readonly times: readonly string[];
      };
      const slot = `/appoinment/${doctor._id}?date=${day}&time=${times.times.at(-1)}`;
      await logIn(phone, patient.email, patient.password, slot);
      // Filled in from the registration.
      await expect(phone.getByLabel('Age')).toHaveValue(/^\d+$/);
      await phone.getByLabel('Address').fill('12 Lake Road');
      await phone.getByRole('button', { name: 'Book Appointment' }).click();
      const booked = phone.getByRole('region', { name: 'Your new appointment' });
      await expect(booked.getByText(/has 2 questions for you before the visit/)).toBeVisible();
      await expectAccessible(phone);
      await picture(phone, 'questions-offered');
      await booked.getByRole('link', { name: 'Answer now' }).click();
    });

    const form = phone.getByRole('form', { name: 'Questions before your visit' });
    await test.step('what is typed survives a reload; what is missing is said', async () => {
      await form.getByLabel(hurts).fill('Since Monday');
      await phone.reload();
      await expect(form.getByLabel(hurts)).toHaveValue('Since Monday');
      await form.getByRole('button', { name: 'Send my answers' }).click();
      await expect(form.getByText('Please answer this question')).toBeVisible();
      await expect(form.getByRole('checkbox', { name: 'Aspirin' })).toBeFocused();
      await expectAccessible(phone);
      expect(await layoutFaultsOf(phone)).toEqual([]);
      await picture(phone, 'questions-answered');
      await form.getByRole('link', { name: 'Answer later' }).click();
      await expect(phone.getByRole('heading', { name: 'Questions before your visit' })).toBeVisible();
      await expectAccessible(phone);
      await picture(phone, 'questions-open');
      await phone.getByRole('link', { name: /^Answer 2 questions/ }).click();
      await form.getByRole('checkbox', { name: 'Insulin' }).check();
      await form.getByRole('button', { name: 'Send my answers' }).click();
      await expect(notification(phone, /^Thank you/)).toBeVisible();
      await expect(phone.getByRole('heading', { name: 'Questions before your visit' })).toHaveCount(0);
    });

    await test.step('the doctor reads the answers', async () => {
      await logInAs(page, 'doctor', `/dash/doctorAppoinments?q=${encodeURIComponent(patient.email)}`);
      await pressAction(record(page, 'Record', name), /^Answers/);
      const dialog = page.getByRole('dialog', { name: /^Answers/ });
      await expect(dialog.getByText('Since Monday')).toBeVisible();
      await expect(dialog.getByText('Insulin')).toBeVisible();
      await expectAccessible(page);
      expect(await layoutFaultsOf(page)).toEqual([]);
      await picture(page, 'questions-read');
    });

    await test.step('the admin stops asking', async () => {
      await office.goto('/dash/questions');
      await office.getByRole('button', { name: `Stop asking: ${specialization}` }).click();
      await expect(notification(office, `Stopped: ${specialization}`)).toBeVisible();
      const forms = (await (await office.request.get('/appoinments/question-forms')).json()) as QuestionForm[];
      expect(forms.find(({ specialty }) => specialty === specialization)?.asked).toBe(false);
      await picture(office, 'questions-stopped');
    });
  },
);
