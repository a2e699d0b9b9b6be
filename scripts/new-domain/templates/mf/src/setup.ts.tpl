import { addCalls } from '@clinic/app-kit';
import { {{camel}}Calls } from '@clinic/svc-{{name}}/contract';
import './styles.css';

addCalls({{camel}}Calls);
