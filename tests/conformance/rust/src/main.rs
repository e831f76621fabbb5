// SPDX-License-Identifier: Apache-2.0
//! The tour (../tour.md) with the AWS SDK for Rust.

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::future::Future;
use std::time::Duration;

use aws_credential_types::Credentials;
use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::config::interceptors::AfterDeserializationInterceptorContextRef;
use aws_sdk_dynamodb::config::{BehaviorVersion, ConfigBag, Intercept, Region, RuntimeComponents};
use aws_sdk_dynamodb::error::{BoxError, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::create_table::CreateTableError;
use aws_sdk_dynamodb::operation::execute_statement::{ExecuteStatementError, ExecuteStatementOutput};
use aws_sdk_dynamodb::operation::execute_transaction::ExecuteTransactionError;
use aws_sdk_dynamodb::operation::get_item::GetItemError;
use aws_sdk_dynamodb::operation::get_resource_policy::GetResourcePolicyError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::put_resource_policy::PutResourcePolicyError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::*;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodbstreams::types as streamtypes;
use aws_smithy_http_client::Builder;

type Item = HashMap<String, AttributeValue>;
type Walked = Result<(), Box<dyn Error>>;

macro_rules! equal {
    ($got:expr, $wanted:expr) => {
        match (&$got, &$wanted) {
            (got, wanted) if *got == *wanted => {}
            (got, wanted) => return Err(format!("line {}: got {got:?}, wanted {wanted:?}", line!()).into()),
        }
    };
}

/// The SDK's own error that a call must end with.
macro_rules! refused {
    ($call:expr, $variant:path) => {
        match $call.await.map_err(SdkError::into_service_error) {
            Err($variant(fault)) => fault,
            other => return Err(format!("line {}: {other:?}", line!()).into()),
        }
    };
}

/// This SDK does not check the CRC of an answer; so the tour does.
#[derive(Debug)]
struct CheckCrc;

impl Intercept for CheckCrc {
    fn name(&self) -> &'static str {
        "CheckCrc"
    }
    fn read_after_deserialization(
        &self,
        context: &AfterDeserializationInterceptorContextRef<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let answer = context.response();
        let body = answer.body().bytes().ok_or("the answer is not in memory")?;
        let crc = crc32fast::hash(body).to_string();
        match answer.headers().get("x-amz-crc32") {
            Some(sent) if sent == crc => Ok(()),
            sent => Err(format!("the answer was damaged: {sent:?}, not {crc}").into()),
        }
    }
}

fn s(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_string())
}
fn n(value: impl ToString) -> AttributeValue {
    AttributeValue::N(value.to_string())
}
fn number(value: i32) -> String {
    format!("{value:04}")
}
fn item<const COUNT: usize>(members: [(&str, AttributeValue); COUNT]) -> Item {
    members.map(|(name, value)| (name.to_string(), value)).into()
}
fn key(customer: &str, order: &str) -> Item {
    item([("customer", s(customer)), ("order", s(order))])
}
fn order(customer: &str, number: &str, total: i32, status: Option<&str>) -> Item {
    let mut made = key(customer, number);
    made.insert("total".into(), n(total));
    if let Some(status) = status {
        made.insert("status".into(), s(status));
    }
    made
}
fn keys(names: &[&str]) -> Vec<KeySchemaElement> {
    let types = [KeyType::Hash, KeyType::Range];
    let element = |(name, key_type): (&&str, KeyType)| {
        KeySchemaElement::builder().attribute_name(*name).key_type(key_type).build().unwrap()
    };
    names.iter().zip(types).map(element).collect()
}
fn attribute(name: &str, kind: ScalarAttributeType) -> AttributeDefinition {
    AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build().unwrap()
}
fn kept(kind: ProjectionType) -> Projection {
    Projection::builder().projection_type(kind).build()
}
fn values(items: &[Item], name: &str) -> Vec<String> {
    let text = |value: &AttributeValue| match value {
        AttributeValue::S(text) | AttributeValue::N(text) => text.clone(),
        other => format!("{other:?}"),
    };
    items.iter().map(|item| text(&item[name])).collect()
}
/// Sets have no order.
fn comparable(mut item: Item) -> Item {
    for value in item.values_mut() {
        match value {
            AttributeValue::Ss(texts) | AttributeValue::Ns(texts) => texts.sort(),
            AttributeValue::Bs(blobs) => blobs.sort_by(|one, other| one.as_ref().cmp(other.as_ref())),
            _ => {}
        }
    }
    item
}

struct Tour {
    db: Client,
    streams: aws_sdk_dynamodbstreams::Client,
    arn: String,
    failed: bool,
}

impl Tour {
    fn ended(&mut self, name: &str, walked: Walked) {
        match walked {
            Ok(()) => println!("ok {name}"),
            Err(fault) => {
                self.failed = true;
                println!("FAILED {name}: {fault:?}");
            }
        }
    }
    async fn step<F: Future<Output = Walked>>(&mut self, name: &str, walk: impl FnOnce(Client, String) -> F) {
        let walked = walk(self.db.clone(), self.arn.clone()).await;
        self.ended(name, walked);
    }
}

async fn create_orders(db: &Client) -> Result<TableDescription, SdkError<CreateTableError>> {
    let made = db
        .create_table()
        .table_name("Orders")
        .billing_mode(BillingMode::PayPerRequest)
        .attribute_definitions(attribute("customer", ScalarAttributeType::S))
        .attribute_definitions(attribute("order", ScalarAttributeType::S))
        .attribute_definitions(attribute("total", ScalarAttributeType::N))
        .attribute_definitions(attribute("status", ScalarAttributeType::S))
        .set_key_schema(Some(keys(&["customer", "order"])))
        .local_secondary_indexes(
            LocalSecondaryIndex::builder()
                .index_name("byTotal")
                .set_key_schema(Some(keys(&["customer", "total"])))
                .projection(kept(ProjectionType::KeysOnly))
                .build()
                .unwrap(),
        )
        .global_secondary_indexes(
            GlobalSecondaryIndex::builder()
                .index_name("byStatus")
                .set_key_schema(Some(keys(&["status", "total"])))
                .projection(
                    Projection::builder().projection_type(ProjectionType::Include).non_key_attributes("note").build(),
                )
                .build()
                .unwrap(),
        )
        .stream_specification(
            StreamSpecification::builder()
                .stream_enabled(true)
                .stream_view_type(StreamViewType::NewAndOldImages)
                .build()
                .unwrap(),
        )
        .tags(Tag::builder().key("stage").value("tour").build().unwrap())
        .deletion_protection_enabled(true)
        .send()
        .await?;
    Ok(made.table_description.unwrap())
}

async fn wait_until_exists(db: &Client, name: &str) -> Walked {
    db.wait_until_table_exists().table_name(name).wait(Duration::from_secs(60)).await?;
    Ok(())
}

async fn describe(db: &Client, name: &str) -> Result<TableDescription, Box<dyn Error>> {
    Ok(db.describe_table().table_name(name).send().await?.table.ok_or("no table")?)
}

async fn get(db: &Client, key: Item) -> Result<Option<Item>, Box<dyn Error>> {
    Ok(db.get_item().table_name("Orders").set_key(Some(key)).send().await?.item)
}

fn throughput(units: i64) -> ProvisionedThroughput {
    ProvisionedThroughput::builder().read_capacity_units(units).write_capacity_units(units).build().unwrap()
}

async fn tables(tour: &mut Tour) {
    let made = create_orders(&tour.db).await;
    tour.arn = made.as_ref().ok().and_then(|table| table.table_arn.clone()).unwrap_or_default();
    tour.step("create-table", |_, arn| async move {
        equal!(made?.table_status, Some(TableStatus::Creating));
        equal!(arn.ends_with(":table/Orders"), true);
        Ok(())
    })
    .await;
    tour.step("create-table-again", |db, _| async move {
        let fault = refused!(create_orders(&db), CreateTableError::ResourceInUseException);
        equal!(fault.message().unwrap_or("").contains("Orders"), true);
        Ok(())
    })
    .await;
    tour.step("wait-until-exists", |db, _| async move {
        db.create_table()
            .table_name("Audit")
            .set_key_schema(Some(keys(&["id"])))
            .attribute_definitions(attribute("id", ScalarAttributeType::N))
            .provisioned_throughput(throughput(1))
            .send()
            .await?;
        wait_until_exists(&db, "Orders").await?;
        wait_until_exists(&db, "Audit").await
    })
    .await;
    tour.step("describe-table", |db, arn| async move {
        let table = describe(&db, "Orders").await?;
        equal!(table.table_status(), Some(&TableStatus::Active));
        equal!(table.key_schema(), &keys(&["customer", "order"])[..]);
        equal!(table.local_secondary_indexes()[0].index_name(), Some("byTotal"));
        equal!(table.global_secondary_indexes()[0].index_name(), Some("byStatus"));
        let label = table.latest_stream_label().ok_or("no label")?;
        equal!(table.latest_stream_arn(), Some(format!("{arn}/stream/{label}").as_str()));
        Ok(())
    })
    .await;
    tour.step("list-tables", |db, _| async move {
        let mut pages = db.list_tables().limit(1).into_paginator().send();
        let mut found = Vec::new();
        while let Some(page) = pages.next().await {
            let names = page?.table_names.unwrap_or_default();
            if !names.is_empty() {
                found.push(names);
            }
        }
        equal!(found, [["Audit"], ["Orders"]]);
        Ok(())
    })
    .await;
    tour.step("describe-limits", |db, _| async move {
        equal!(db.describe_limits().send().await?.account_max_read_capacity_units, Some(80000));
        Ok(())
    })
    .await;
    tour.step("describe-endpoints", |db, _| async move {
        let answer = db.describe_endpoints().send().await?;
        equal!(answer.endpoints().len(), 1);
        equal!(answer.endpoints()[0].cache_period_in_minutes(), 1440);
        equal!(answer.endpoints()[0].address().is_empty(), false);
        Ok(())
    })
    .await;
}

async fn items(tour: &mut Tour) {
    let all_types = item([
        ("customer", s("c1")),
        ("order", s("0001")),
        ("total", n(12.5)),
        ("status", s("OPEN")),
        ("bytes", AttributeValue::B(Blob::new([0, 255]))),
        ("flag", AttributeValue::Bool(true)),
        ("nothing", AttributeValue::Null(true)),
        ("words", AttributeValue::Ss(vec!["a".into(), "b".into()])),
        ("numbers", AttributeValue::Ns(vec!["1".into(), "2".into()])),
        ("blobs", AttributeValue::Bs(vec![Blob::new([1]), Blob::new([2])])),
        ("list", AttributeValue::L(vec![s("x"), n(1)])),
        ("map", AttributeValue::M(item([("inner", s("y"))]))),
    ]);
    tour.step("throttled", |db, _| async move {
        let put = || db.put_item().table_name("Audit").item("id", n(1)).item("text", s(&"x".repeat(400_000)));
        put().send().await?;
        let again = put();
        let fault = refused!(again.send(), PutItemError::ProvisionedThroughputExceededException);
        let reason = &fault.throttling_reasons()[0];
        equal!(reason.reason(), Some("TableWriteProvisionedThroughputExceeded"));
        equal!(reason.resource().unwrap_or("").ends_with(":table/Audit"), true);
        let delete = DeleteRequest::builder().key("id", n(2)).build()?;
        let undone = vec![WriteRequest::builder().delete_request(delete).build()];
        let delete = DeleteRequest::builder().set_key(Some(key("c9", "0001"))).build()?;
        let done = vec![WriteRequest::builder().delete_request(delete).build()];
        let request = db.batch_write_item().request_items("Orders", done).request_items("Audit", undone.clone());
        equal!(request.send().await?.unprocessed_items, Some(HashMap::from([("Audit".to_string(), undone)])));
        db.get_item().table_name("Audit").key("id", n(1)).consistent_read(true).send().await?;
        let unread = KeysAndAttributes::builder().keys(item([("id", n(1))])).build()?;
        let found = KeysAndAttributes::builder().keys(key("c9", "0001")).build()?;
        let request = db.batch_get_item().request_items("Orders", found).request_items("Audit", unread.clone());
        let answer = request.send().await?;
        equal!(answer.unprocessed_keys, Some(HashMap::from([("Audit".to_string(), unread)])));
        equal!(answer.responses.ok_or("no answers")?["Orders"].len(), 0);
        Ok(())
    })
    .await;
    let put = all_types.clone();
    tour.step("put-item", |db, _| async move {
        let request = db.put_item().table_name("Orders").set_item(Some(put));
        let answer = request.return_consumed_capacity(ReturnConsumedCapacity::Total).send().await?;
        let consumed = answer.consumed_capacity.ok_or("no capacity")?;
        equal!(consumed.table_name(), Some("Orders"));
        equal!(consumed.capacity_units(), Some(3.0));
        Ok(())
    })
    .await;
    tour.step("get-item", |db, _| async move {
        let request = db.get_item().table_name("Orders").set_key(Some(key("c1", "0001"))).consistent_read(true);
        let answer = request.return_consumed_capacity(ReturnConsumedCapacity::Total).send().await?;
        equal!(answer.item.map(comparable), Some(all_types));
        equal!(answer.consumed_capacity.and_then(|consumed| consumed.capacity_units), Some(1.0));
        Ok(())
    })
    .await;
    tour.step("put-item-again", |db, _| async move {
        let request = db.put_item().table_name("Orders").set_item(Some(order("c1", "0001", 20, Some("OPEN"))));
        let answer = request.return_values(ReturnValue::AllOld).send().await?;
        equal!(answer.attributes.ok_or("nothing old")?["total"], n(12.5));
        Ok(())
    })
    .await;
    tour.step("update-item", |db, _| async move {
        let request = db.update_item().table_name("Orders").set_key(Some(key("c1", "0001")));
        let answer = request
            .update_expression("SET #t = #t + :five")
            .expression_attribute_names("#t", "total")
            .expression_attribute_values(":five", n(5))
            .return_values(ReturnValue::UpdatedNew)
            .send()
            .await?;
        equal!(answer.attributes, Some(item([("total", n(25))])));
        Ok(())
    })
    .await;
    tour.step("condition-fails", |db, _| async move {
        let request = db.put_item().table_name("Orders").set_item(Some(order("c1", "0001", 1, None)));
        let request = request
            .condition_expression("attribute_not_exists(customer)")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let fault = refused!(request.send(), PutItemError::ConditionalCheckFailedException);
        equal!(fault.message(), Some("The conditional request failed"));
        equal!(fault.item().ok_or("no item")?["total"], n(25));
        Ok(())
    })
    .await;
    tour.step("validation-fails", |db, _| async move {
        let request = db.update_item().table_name("Orders").set_key(Some(key("c1", "0001")));
        let fault = request.update_expression("SET SET").send().await.err().ok_or("not refused")?.into_service_error();
        equal!(fault.code(), Some("ValidationException"));
        equal!(fault.message().unwrap_or("").contains("Invalid UpdateExpression: "), true);
        Ok(())
    })
    .await;
    tour.step("table-not-found", |db, _| async move {
        let request = db.get_item().table_name("Nowhere").key("id", n(1));
        let fault = refused!(request.send(), GetItemError::ResourceNotFoundException);
        equal!(fault.message(), Some("Requested resource not found"));
        Ok(())
    })
    .await;
    tour.step("batch-write", |db, _| async move {
        let put = |i: i32| {
            let made = order("c2", &number(i), i, Some(if i % 2 == 1 { "DONE" } else { "OPEN" }));
            let request = PutRequest::builder().set_item(Some(made)).build().unwrap();
            WriteRequest::builder().put_request(request).build()
        };
        let request = db.batch_write_item().request_items("Orders", (1..=25).map(put).collect());
        let answer = request.return_consumed_capacity(ReturnConsumedCapacity::Total).send().await?;
        equal!(answer.unprocessed_items().map(HashMap::len), Some(0));
        equal!(answer.consumed_capacity()[0].capacity_units(), Some(75.0));
        Ok(())
    })
    .await;
    tour.step("batch-get", |db, _| async move {
        let wanted = KeysAndAttributes::builder()
            .set_keys(Some((1..=3).map(|i| key("c2", &number(i))).collect()))
            .projection_expression("#o, #t")
            .expression_attribute_names("#o", "order")
            .expression_attribute_names("#t", "total")
            .build()?;
        let answer = db.batch_get_item().request_items("Orders", wanted).send().await?;
        let mut found = answer.responses().ok_or("no answers")?["Orders"].clone();
        found.sort_by_key(|item| values(std::slice::from_ref(item), "order"));
        let expected: Vec<Item> = (1..=3).map(|i| item([("order", s(&number(i))), ("total", n(i))])).collect();
        equal!(found, expected);
        equal!(answer.unprocessed_keys().map(HashMap::len), Some(0));
        Ok(())
    })
    .await;
}

async fn queries(tour: &mut Tour) {
    tour.step("query-pages", |db, _| async move {
        let query = db.query().table_name("Orders").key_condition_expression("customer = :c").limit(10);
        let mut pages = query.expression_attribute_values(":c", s("c2")).into_paginator().send();
        let (mut counts, mut found) = (Vec::new(), Vec::new());
        while let Some(page) = pages.next().await {
            let page = page?;
            counts.push(page.count());
            found.extend(values(page.items(), "order"));
        }
        equal!(counts, [10, 10, 5]);
        equal!(found, (1..=25).map(number).collect::<Vec<_>>());
        Ok(())
    })
    .await;
    tour.step("query-backwards", |db, _| async move {
        let query = db.query().table_name("Orders").key_condition_expression("customer = :c AND #o > :o");
        let answer = query
            .limit(2)
            .scan_index_forward(false)
            .expression_attribute_names("#o", "order")
            .expression_attribute_values(":c", s("c2"))
            .expression_attribute_values(":o", s("0010"))
            .send()
            .await?;
        equal!(values(answer.items(), "order"), ["0025", "0024"]);
        equal!(answer.last_evaluated_key(), Some(&key("c2", "0024")));
        Ok(())
    })
    .await;
    tour.step("query-index", |db, _| async move {
        let query = db.query().table_name("Orders").index_name("byStatus");
        let answer = query
            .return_consumed_capacity(ReturnConsumedCapacity::Indexes)
            .key_condition_expression("#s = :s AND #t BETWEEN :a AND :b")
            .expression_attribute_names("#s", "status")
            .expression_attribute_names("#t", "total")
            .expression_attribute_values(":s", s("DONE"))
            .expression_attribute_values(":a", n(5))
            .expression_attribute_values(":b", n(9))
            .send()
            .await?;
        equal!(values(answer.items(), "total"), ["5", "7", "9"]);
        let consumed = answer.consumed_capacity().ok_or("no capacity")?;
        let indexes = consumed.global_secondary_indexes().ok_or("no indexes")?;
        equal!(indexes["byStatus"].capacity_units(), Some(0.5));
        equal!(consumed.table().and_then(Capacity::capacity_units), Some(0.0));
        Ok(())
    })
    .await;
    tour.step("query-local-index", |db, _| async move {
        let query = db.query().table_name("Orders").index_name("byTotal").consistent_read(true);
        let answer = query
            .key_condition_expression("customer = :c AND #t > :t")
            .expression_attribute_names("#t", "total")
            .expression_attribute_values(":c", s("c2"))
            .expression_attribute_values(":t", n(23))
            .send()
            .await?;
        equal!(values(answer.items(), "total"), ["24", "25"]);
        Ok(())
    })
    .await;
    tour.step("query-count", |db, _| async move {
        let query = db.query().table_name("Orders").select(Select::Count);
        let answer = query
            .key_condition_expression("customer = :c")
            .filter_expression("#s = :s")
            .expression_attribute_names("#s", "status")
            .expression_attribute_values(":c", s("c2"))
            .expression_attribute_values(":s", s("DONE"))
            .send()
            .await?;
        equal!((answer.count(), answer.scanned_count()), (13, 25));
        Ok(())
    })
    .await;
    tour.step("scan-pages", |db, _| async move {
        let mut pages = db.scan().table_name("Orders").limit(10).into_paginator().send();
        let mut counts = Vec::new();
        while let Some(page) = pages.next().await {
            counts.push(page?.count());
        }
        counts.retain(|count| *count > 0);
        equal!(counts, [10, 10, 6]);
        Ok(())
    })
    .await;
    tour.step("scan-segments", |db, _| async move {
        let (mut count, mut distinct) = (0, BTreeSet::new());
        for segment in 0..2 {
            let answer = db.scan().table_name("Orders").segment(segment).total_segments(2).send().await?;
            count += answer.items().len();
            let customers = values(answer.items(), "customer");
            distinct.extend(customers.into_iter().zip(values(answer.items(), "order")));
        }
        equal!((count, distinct.len()), (26, 26));
        Ok(())
    })
    .await;
}

type TransactWrite = aws_sdk_dynamodb::operation::transact_write_items::builders::TransactWriteItemsFluentBuilder;

fn transaction(db: &Client, total: i32) -> TransactWrite {
    let put = Put::builder().table_name("Orders").set_item(Some(order("c3", "0001", total, None))).build().unwrap();
    let update = Update::builder()
        .table_name("Orders")
        .set_key(Some(key("c2", "0001")))
        .update_expression("SET #t = :t")
        .expression_attribute_names("#t", "total")
        .expression_attribute_values(":t", n(100))
        .build()
        .unwrap();
    let delete = Delete::builder().table_name("Orders").set_key(Some(key("c2", "0025"))).build().unwrap();
    let check = ConditionCheck::builder()
        .table_name("Orders")
        .set_key(Some(key("c1", "0001")))
        .condition_expression("attribute_exists(customer)")
        .build()
        .unwrap();
    db.transact_write_items()
        .client_request_token("tour-1")
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .transact_items(TransactWriteItem::builder().put(put).build())
        .transact_items(TransactWriteItem::builder().update(update).build())
        .transact_items(TransactWriteItem::builder().delete(delete).build())
        .transact_items(TransactWriteItem::builder().condition_check(check).build())
}

fn put_new(customer: &str, number: &str) -> TransactWriteItem {
    let put = Put::builder()
        .table_name("Orders")
        .set_item(Some(order(customer, number, 1, None)))
        .condition_expression("attribute_not_exists(customer)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .build()
        .unwrap();
    TransactWriteItem::builder().put(put).build()
}

async fn total_of(db: &Client, key: Item) -> Result<Option<AttributeValue>, Box<dyn Error>> {
    Ok(get(db, key).await?.map(|item| item["total"].clone()))
}

fn codes(reasons: &[CancellationReason]) -> Vec<&str> {
    reasons.iter().filter_map(CancellationReason::code).collect()
}

async fn transactions(tour: &mut Tour) {
    tour.step("transact-write", |db, _| async move {
        let answer = transaction(&db, 7).send().await?;
        equal!(answer.consumed_capacity()[0].table_name(), Some("Orders"));
        equal!(total_of(&db, key("c3", "0001")).await?, Some(n(7)));
        equal!(total_of(&db, key("c2", "0025")).await?, None);
        Ok(())
    })
    .await;
    tour.step("transact-write-again", |db, _| async move {
        let answer = transaction(&db, 7).send().await?;
        equal!(answer.consumed_capacity()[0].read_capacity_units() > Some(0.0), true);
        let other = transaction(&db, 8);
        refused!(other.send(), TransactWriteItemsError::IdempotentParameterMismatchException);
        equal!(total_of(&db, key("c3", "0001")).await?, Some(n(7)));
        Ok(())
    })
    .await;
    tour.step("transact-cancelled", |db, _| async move {
        let request = db.transact_write_items();
        let request = request.transact_items(put_new("c3", "0002")).transact_items(put_new("c3", "0001"));
        let fault = refused!(request.send(), TransactWriteItemsError::TransactionCanceledException);
        let reasons = fault.cancellation_reasons();
        equal!(codes(reasons), ["None", "ConditionalCheckFailed"]);
        equal!(reasons[1].message(), Some("The conditional request failed"));
        equal!(reasons[1].item().ok_or("no item")?["total"], n(7));
        Ok(())
    })
    .await;
    tour.step("transact-get", |db, _| async move {
        let mut request = db.transact_get_items();
        for wanted in [key("c3", "0001"), key("c2", "0001"), key("c2", "0025")] {
            let get = Get::builder().table_name("Orders").set_key(Some(wanted)).build()?;
            request = request.transact_items(TransactGetItem::builder().get(get).build());
        }
        let answer = request.send().await?;
        let found = answer.responses().iter();
        let totals: Vec<_> = found.map(|one| one.item().map(|item| item["total"].clone())).collect();
        equal!(totals, [Some(n(7)), Some(n(100)), None]);
        Ok(())
    })
    .await;
    tour.step("delete-item", |db, _| async move {
        let request = db.delete_item().table_name("Orders").set_key(Some(key("c3", "0001")));
        let answer = request
            .return_values(ReturnValue::AllOld)
            .return_item_collection_metrics(ReturnItemCollectionMetrics::Size)
            .send()
            .await?;
        equal!(answer.attributes().ok_or("nothing old")?["total"], n(7));
        let metrics = answer.item_collection_metrics().ok_or("no metrics")?;
        equal!(metrics.item_collection_key(), Some(&item([("customer", s("c3"))])));
        equal!(metrics.size_estimate_range_gb().len(), 2);
        Ok(())
    })
    .await;
}

async fn statement(
    db: &Client,
    text: &str,
    parameters: &[AttributeValue],
) -> Result<ExecuteStatementOutput, SdkError<ExecuteStatementError>> {
    let parameters = (!parameters.is_empty()).then(|| parameters.to_vec());
    db.execute_statement().statement(text).set_parameters(parameters).send().await
}

fn set_note(customer: &str, more: &str) -> ParameterizedStatement {
    let text = format!(r#"UPDATE "Orders" SET note = 'x' WHERE customer = '{customer}' AND "order" = '0001'{more}"#);
    ParameterizedStatement::builder().statement(text).build().unwrap()
}

async fn partiql(tour: &mut Tour) {
    tour.step("partiql", |db, _| async move {
        let insert = r#"INSERT INTO "Orders" VALUE {'customer': ?, 'order': ?, 'total': ?}"#;
        statement(&db, insert, &[s("c4"), s("0001"), n(1)]).await?;
        let (mut sizes, mut token) = (Vec::new(), None);
        loop {
            let select = db.execute_statement().statement(r#"SELECT * FROM "Orders" WHERE customer = ?"#);
            let page = select.parameters(s("c2")).limit(10).set_next_token(token).send().await?;
            sizes.push(page.items().len());
            token = page.next_token;
            if token.is_none() {
                break;
            }
        }
        equal!(sizes, [10, 10, 4]);
        let update = r#"UPDATE "Orders" SET note = ? WHERE customer = ? AND "order" = ? RETURNING ALL NEW *"#;
        let answer = statement(&db, update, &[s("fragile"), s("c4"), s("0001")]).await?;
        let mut wanted = order("c4", "0001", 1, None);
        wanted.insert("note".into(), s("fragile"));
        equal!(answer.items(), &[wanted][..]);
        Ok(())
    })
    .await;
    tour.step("partiql-duplicate", |db, _| async move {
        let insert = r#"INSERT INTO "Orders" VALUE {'customer': 'c4', 'order': '0001'}"#;
        let fault = refused!(statement(&db, insert, &[]), ExecuteStatementError::DuplicateItemException);
        equal!(fault.message().is_some(), true);
        Ok(())
    })
    .await;
    tour.step("partiql-batch", |db, _| async move {
        let one = |table: &str| {
            let text = format!(r#"SELECT * FROM "{table}" WHERE customer = 'c4' AND "order" = '0001'"#);
            BatchStatementRequest::builder().statement(text).build().unwrap()
        };
        let answer = db.batch_execute_statement().statements(one("Orders")).statements(one("Nowhere")).send().await?;
        let [found, lost] = answer.responses() else { return Err("not two answers".into()) };
        equal!(found.item().ok_or("no item")?["note"], s("fragile"));
        let code = lost.error().and_then(BatchStatementError::code);
        equal!(code, Some(&BatchStatementErrorCodeEnum::ResourceNotFound));
        Ok(())
    })
    .await;
    tour.step("partiql-transaction", |db, _| async move {
        let both = db.execute_transaction().transact_statements(set_note("c1", ""));
        both.transact_statements(set_note("c4", "")).send().await?;
        let request = db.execute_transaction().transact_statements(set_note("c1", " AND note = 'y'"));
        let request = request.transact_statements(set_note("c4", ""));
        let fault = refused!(request.send(), ExecuteTransactionError::TransactionCanceledException);
        equal!(codes(fault.cancellation_reasons()), ["ConditionalCheckFailed", "None"]);
        Ok(())
    })
    .await;
}

async fn changes(tour: &mut Tour) {
    tour.step("update-table", |db, _| async move {
        let create = CreateGlobalSecondaryIndexAction::builder()
            .index_name("byNote")
            .set_key_schema(Some(keys(&["note"])))
            .projection(kept(ProjectionType::All))
            .build()?;
        let change = GlobalSecondaryIndexUpdate::builder().create(create).build();
        let request = db.update_table().table_name("Orders").global_secondary_index_updates(change);
        let answer = request.attribute_definitions(attribute("note", ScalarAttributeType::S)).send().await?;
        equal!(answer.table_description.and_then(|table| table.table_status), Some(TableStatus::Updating));
        let names = loop {
            let table = describe(&db, "Orders").await?;
            let indexes = table.global_secondary_indexes();
            if indexes.iter().all(|index| index.index_status() == Some(&IndexStatus::Active)) {
                break indexes.iter().filter_map(|index| index.index_name.clone()).collect::<BTreeSet<_>>();
            }
        };
        equal!(names, ["byNote".to_string(), "byStatus".to_string()].into());
        let query = db.query().table_name("Orders").index_name("byNote").key_condition_expression("note = :n");
        let answer = query.expression_attribute_values(":n", s("x")).send().await?;
        equal!(answer.count(), 2);
        Ok(())
    })
    .await;
    tour.step("update-capacity", |db, _| async move {
        for units in [6, 4] {
            let request = db.update_table().table_name("Audit").provisioned_throughput(throughput(units));
            let answer = request.send().await?;
            equal!(answer.table_description.and_then(|table| table.table_status), Some(TableStatus::Updating));
            wait_until_exists(&db, "Audit").await?;
            let table = describe(&db, "Audit").await?;
            let shown = table.provisioned_throughput().ok_or("no throughput")?;
            equal!((shown.read_capacity_units(), shown.write_capacity_units()), (Some(units), Some(units)));
        }
        Ok(())
    })
    .await;
    tour.step("deletion-protection", |db, _| async move {
        let fault = db.delete_table().table_name("Orders").send().await.err().ok_or("not refused")?;
        equal!(fault.into_service_error().code(), Some("ValidationException"));
        let answer = db.update_table().table_name("Orders").deletion_protection_enabled(false).send().await?;
        equal!(answer.table_description.and_then(|table| table.deletion_protection_enabled), Some(false));
        Ok(())
    })
    .await;
    tour.step("tags", |db, arn| async move {
        let owner = Tag::builder().key("owner").value("me").build()?;
        db.tag_resource().resource_arn(&arn).tags(owner.clone()).send().await?;
        let answer = db.list_tags_of_resource().resource_arn(&arn).send().await?;
        equal!(answer.tags().iter().map(Tag::key).collect::<BTreeSet<_>>(), ["owner", "stage"].into());
        db.untag_resource().resource_arn(&arn).tag_keys("stage").send().await?;
        let answer = db.list_tags_of_resource().resource_arn(&arn).send().await?;
        equal!(answer.tags(), &[owner][..]);
        Ok(())
    })
    .await;
    tour.step("time-to-live", |db, _| async move {
        let wanted = TimeToLiveSpecification::builder().enabled(true).attribute_name("expires").build()?;
        let request = db.update_time_to_live().table_name("Orders").time_to_live_specification(wanted.clone());
        equal!(request.send().await?.time_to_live_specification, Some(wanted));
        let answer = db.describe_time_to_live().table_name("Orders").send().await?;
        let shown = answer.time_to_live_description.ok_or("no description")?;
        equal!(shown.attribute_name(), Some("expires"));
        let status = shown.time_to_live_status().ok_or("no status")?;
        equal!([TimeToLiveStatus::Enabling, TimeToLiveStatus::Enabled].contains(status), true);
        Ok(())
    })
    .await;
}

fn is_on(status: Option<&ContributorInsightsStatus>) -> bool {
    matches!(status, Some(ContributorInsightsStatus::Enabling | ContributorInsightsStatus::Enabled))
}

async fn insights(tour: &mut Tour) {
    tour.step("contributor-insights", |db, _| async move {
        let request = db.update_contributor_insights().table_name("Orders");
        let answer = request.contributor_insights_action(ContributorInsightsAction::Enable).send().await?;
        equal!(is_on(answer.contributor_insights_status()), true);
        let shown = db.describe_contributor_insights().table_name("Orders").send().await?;
        equal!(is_on(shown.contributor_insights_status()), true);
        equal!(shown.contributor_insights_rule_list().is_empty(), false);
        let mut pages = db.list_contributor_insights().into_paginator().send();
        let mut listed = Vec::new();
        while let Some(page) = pages.next().await {
            listed.extend(page?.contributor_insights_summaries().iter().filter_map(|one| one.table_name.clone()));
        }
        equal!(listed.contains(&"Orders".to_string()), true);
        Ok(())
    })
    .await;
    tour.step("resource-policy", |db, arn| async move {
        let policy = format!(
            r#"{{"Version":"2012-10-17","Statement":[{{"Effect":"Allow","Principal":{{"AWS":"000000000000"}},"Action":"dynamodb:GetItem","Resource":"{arn}"}}]}}"#
        );
        let put = || db.put_resource_policy().resource_arn(&arn).policy(&policy);
        let revision = put().send().await?.revision_id.ok_or("no revision")?;
        let shown = db.get_resource_policy().resource_arn(&arn).send().await?;
        equal!(shown.policy().map(|text| text.replace([' ', '\n'], "")), Some(policy.clone()));
        equal!(shown.revision_id(), Some(revision.as_str()));
        let wrong = put().expected_revision_id("1");
        refused!(wrong.send(), PutResourcePolicyError::PolicyNotFoundException);
        let delete = db.delete_resource_policy().resource_arn(&arn).expected_revision_id(&revision);
        equal!(delete.send().await?.revision_id, Some(revision));
        let gone = db.get_resource_policy().resource_arn(&arn);
        refused!(gone.send(), GetResourcePolicyError::PolicyNotFoundException);
        Ok(())
    })
    .await;
}

fn total(image: Option<&HashMap<String, streamtypes::AttributeValue>>) -> &str {
    match image.and_then(|image| image.get("total")) {
        Some(streamtypes::AttributeValue::N(number)) => number,
        _ => "",
    }
}

async fn walk_stream(streams: aws_sdk_dynamodbstreams::Client) -> Walked {
    let answer = streams.list_streams().table_name("Orders").send().await?;
    equal!(answer.streams().len(), 1);
    let arn = answer.streams()[0].stream_arn().ok_or("no ARN")?;
    let answer = streams.describe_stream().stream_arn(arn).send().await?;
    let shown = answer.stream_description().ok_or("no description")?;
    equal!(shown.stream_status(), Some(&streamtypes::StreamStatus::Enabled));
    equal!(shown.stream_view_type(), Some(&streamtypes::StreamViewType::NewAndOldImages));
    let customer = streamtypes::AttributeValue::S("c1".into());
    let mut lines = Vec::new();
    for shard in shown.shards() {
        let request = streams.get_shard_iterator().stream_arn(arn).set_shard_id(shard.shard_id.clone());
        let answer = request.shard_iterator_type(streamtypes::ShardIteratorType::TrimHorizon).send().await?;
        let answer = streams.get_records().set_shard_iterator(answer.shard_iterator).send().await?;
        for record in answer.records() {
            let change = record.dynamodb().ok_or("no change")?;
            if change.keys().and_then(|keys| keys.get("customer")) == Some(&customer) {
                let event = record.event_name().ok_or("no event")?.as_str();
                lines.push(format!("{event} {}>{}", total(change.old_image()), total(change.new_image())));
            }
        }
    }
    lines.truncate(3);
    equal!(lines, ["INSERT >12.5", "MODIFY 12.5>20", "MODIFY 20>25"]);
    Ok(())
}

async fn ending(tour: &mut Tour) {
    tour.step("crc32", |db, _| async move {
        let fault = get(&db, key("damaged", "once")).await.err().ok_or("the damage went unnoticed")?;
        equal!(format!("{fault:?}").contains("the answer was damaged"), true);
        equal!(get(&db, key("damaged", "once")).await?, None);
        Ok(())
    })
    .await;
    tour.step("delete-table", |db, _| async move {
        for name in ["Orders", "Audit"] {
            let answer = db.delete_table().table_name(name).send().await?;
            equal!(answer.table_description.and_then(|table| table.table_status), Some(TableStatus::Deleting));
            db.wait_until_table_not_exists().table_name(name).wait(Duration::from_secs(60)).await?;
        }
        equal!(db.list_tables().send().await?.table_names().len(), 0);
        Ok(())
    })
    .await;
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let set = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let credentials = Credentials::from_keys(set("AWS_ACCESS_KEY_ID"), set("AWS_SECRET_ACCESS_KEY"), None);
    let db = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(set("AWS_REGION")))
        .endpoint_url(set("AWS_ENDPOINT_URL"))
        .credentials_provider(credentials.clone())
        .http_client(Builder::new().build_http())
        .interceptor(CheckCrc)
        .build();
    let streams = aws_sdk_dynamodbstreams::Config::builder()
        .behavior_version(aws_sdk_dynamodbstreams::config::BehaviorVersion::latest())
        .region(Region::new(set("AWS_REGION")))
        .endpoint_url(set("AWS_ENDPOINT_URL"))
        .credentials_provider(credentials)
        .http_client(Builder::new().build_http())
        .build();
    let mut tour = Tour {
        db: Client::from_conf(db),
        streams: aws_sdk_dynamodbstreams::Client::from_conf(streams),
        arn: String::new(),
        failed: false,
    };
    tables(&mut tour).await;
    items(&mut tour).await;
    queries(&mut tour).await;
    transactions(&mut tour).await;
    partiql(&mut tour).await;
    changes(&mut tour).await;
    insights(&mut tour).await;
    let walked = walk_stream(tour.streams.clone()).await;
    tour.ended("streams", walked);
    ending(&mut tour).await;
    std::process::exit(i32::from(tour.failed));
}
