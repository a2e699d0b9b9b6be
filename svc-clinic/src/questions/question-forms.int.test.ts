import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { collectionsOf } from '../collections.ts';
import type { QuestionForm } from '../contract/question-calls.ts';
import { questionLimits } from '../contract/question-limits.ts';
import { ben, drHouse } from '../testing/people.ts';
import { rejectionOf, sharedClinic, verdict } from '../testing/test-clinic.ts';
import { pills, questionsAt, since, smoke, type Save } from '../testing/test-questions.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House', specialization: 'Dermatology' });
const { saving, save, change, questionsOf, open } = questionsAt(clinic);
beforeEach(() => clinic.empty('appointments', 'events', 'questionForms', 'outbox', 'persons'));
const { questionForms } = collectionsOf(clinic.db);

test('a specialty’s form is asked before its visits, the clinic’s before all others, a stopped one before none', async () => {
  const heart = await clinic.book();
  const skin = await clinic.book({ doctoremail: drHouse.email, time: '10:00' });
  assert.deepEqual(await open(), []);
  const form = await save({ questions: [smoke] });
  assert.deepEqual(
    (await open()).map(({ _id, questions }) => [_id, questions]),
    [[heart._id, 1]],
  );
  assert.deepEqual((await questionsOf(skin._id)).questions, []);
  await save({ specialty: '', questions: [since] });
  assert.deepEqual((await questionsOf(skin._id)).questions, [since]);
  assert.deepEqual((await questionsOf(heart._id)).questions, [smoke]);

  assert.equal((await change(form, false)).status, 200);
  assert.deepEqual((await questionsOf(heart._id)).questions, [since]);
  assert.equal((await change(form, true)).status, 200);
  assert.deepEqual((await questionsOf(heart._id)).questions, [smoke]);
  assert.deepEqual(await open(ben), []);
});

test('two admins who save at once: one is told, and nothing is lost', async () => {
  for (const version of [0, 1]) {
    const answers = await Promise.all([
      saving({ version, questions: [smoke] }),
      saving({ version, questions: [since] }),
      saving({ version, questions: [pills] }),
    ]);
    assert.deepEqual(statusesOf(answers), [200, 412, 412]);
    const [form, ...others] = await questionForms.find().toArray();
    assert.equal(others.length, 0);
    const [winner] = await Promise.all(answers.filter(({ status }) => status === 200).map((one) => one.json()));
    assert.deepEqual(form?.questions, (winner as QuestionForm).questions);
    assert.equal(form?.version, version + 1);
  }
  assert.equal((await clinic.findEvents({ action: 'questions saved' })).length, 2);
});

test('a form that is sent again after a lost response is saved once, and another one isn’t', async () => {
  const form = await save({ questions: [smoke] });
  assert.deepEqual(await save({ questions: [smoke] }), form);
  assert.equal(await verdict(saving({ questions: [since] })), '412 changed_meanwhile');
  await save({ version: 1, questions: [since] });
  assert.equal(await verdict(saving({ questions: [smoke] })), '412 changed_meanwhile');
  assert.equal((await clinic.findEvents({ action: 'questions saved' })).length, 2);
});

test('an admin whose form has changed meanwhile stops nothing', async () => {
  const form = await save();
  await save({ version: 1 });
  assert.equal(await verdict(change(form, false)), '412 changed_meanwhile');
  assert.equal((await questionForms.findOne())?.asked, true);
});

test('a form has a specialty that a doctor has, up to a dozen questions, and choices where one chooses', async () => {
  const many = Array.from({ length: questionLimits.questions + 1 }, (_, index) => ({ ...smoke, id: `q${index}` }));
  const [one, two] = ['Aspirin', 'Insulin'];
  for (const [fields, rejected] of [
    [{ specialty: 'Alchemy' }, 'specialty'],
    [{ questions: [] }, 'questions'],
    [{ questions: many }, 'questions'],
    [{ questions: [smoke, smoke] }, 'questions'],
    [{ questions: [{ ...smoke, text: ' ' }] }, 'questions.0.text'],
    [{ questions: [{ ...pills, choices: [one] }] }, 'questions.0.choices'],
    [{ questions: [{ ...pills, choices: [one, two, one] }] }, 'questions.0.choices'],
    [{ questions: [{ ...smoke, choices: [one, two] }] }, 'questions.0.choices'],
  ] as [Save, string][])
    assert.deepEqual(await rejectionOf(await saving(fields)), [400, [rejected]], rejected);
  assert.equal(await questionForms.countDocuments(), 0);
});
