// SPDX-License-Identifier: Apache-2.0
import { Tab, TabList, TabPanel, TabProvider } from "@ariakit/react";
import { Copy } from "lucide-react";
import { notify } from "../../actions/state";

const origin = location.origin;

const snippets: [title: string, text: string][] = [
  ["Command line", `export AWS_ENDPOINT_URL=${origin}\nexport AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_REGION=us-east-1\naws dynamodb list-tables`],
  ["Python", `import boto3\n\ndb = boto3.resource("dynamodb", endpoint_url="${origin}", region_name="us-east-1")\nprint(list(db.tables.all()))`],
  ["JavaScript", `import { DynamoDB } from "@aws-sdk/client-dynamodb";\n\nconst db = new DynamoDB({ endpoint: "${origin}", region: "us-east-1" });\nconsole.log(await db.listTables());`],
  ["Java", `var db = DynamoDbClient.builder()\n    .endpointOverride(URI.create("${origin}"))\n    .region(Region.US_EAST_1)\n    .build();\nSystem.out.println(db.listTables().tableNames());`],
];

export function Connect() {
  return (
    <div className="snippets">
      <TabProvider defaultSelectedId="snippet-0">
        <TabList className="snippet-tabs" aria-label="Language">
          {snippets.map(([title], i) => (
            <Tab key={title} id={`snippet-${i}`}>
              {title}
            </Tab>
          ))}
        </TabList>
        {snippets.map(([title, text], i) => (
          <TabPanel key={title} tabId={`snippet-${i}`} className="snippet">
            <pre tabIndex={0}>{text}</pre>
            <button
              className="button quiet only-icon"
              aria-label={`Copy the ${title} snippet`}
              onClick={() => void navigator.clipboard?.writeText(text).then(() => notify("Copied."))}
            >
              <Copy className="icon" aria-hidden />
            </button>
          </TabPanel>
        ))}
      </TabProvider>
    </div>
  );
}
