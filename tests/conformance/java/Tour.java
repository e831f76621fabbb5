// SPDX-License-Identifier: Apache-2.0

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.Crc32MismatchException;
import software.amazon.awssdk.core.waiters.WaiterOverrideConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** The tour (../tour.md) with the AWS SDK for Java v2. */
public final class Tour {
  private interface Walk {
    void run() throws Exception;
  }

  private static final String ORDERS = "Orders";
  private static final DynamoDbClient db =
      DynamoDbClient.builder()
          .httpClientBuilder(UrlConnectionHttpClient.builder())
          // As it is made for this service, it would try a throttled call for a minute.
          .overrideConfiguration(change -> change.retryStrategy(tries -> tries.maxAttempts(3)))
          .build();
  private static final DynamoDbStreamsClient streams =
      DynamoDbStreamsClient.builder().httpClientBuilder(UrlConnectionHttpClient.builder()).build();
  private static final DynamoDbWaiter waiter =
      DynamoDbWaiter.builder()
          .client(db)
          .overrideConfiguration(
              WaiterOverrideConfiguration.builder()
                  .maxAttempts(100)
                  .backoffStrategyV2(BackoffStrategy.fixedDelay(Duration.ofMillis(100)))
                  .build())
          .build();
  private static boolean failed = false;
  private static String arn;

  private static void step(String name, Walk walk) {
    try {
      walk.run();
      System.out.println("ok " + name);
    } catch (Exception | AssertionError fault) {
      failed = true;
      System.out.println("FAILED " + name);
      fault.printStackTrace(System.out);
    }
  }

  private static void claim(boolean holds, Object what) {
    if (!holds) throw new AssertionError(String.valueOf(what));
  }

  private static void equal(Object got, Object wanted) {
    claim(Objects.equals(got, wanted), "got " + got + ", wanted " + wanted);
  }

  /** The SDK's exception that a call must end with. */
  private static <E extends Exception> E refused(Class<E> wanted, Walk walk) throws Exception {
    try {
      walk.run();
    } catch (Exception fault) {
      if (wanted.isInstance(fault)) return wanted.cast(fault);
      throw fault;
    }
    throw new AssertionError("not refused");
  }

  private static AttributeValue s(String value) {
    return AttributeValue.fromS(value);
  }

  private static AttributeValue n(Object value) {
    return AttributeValue.fromN(value.toString());
  }

  private static String number(int value) {
    return String.format("%04d", value);
  }

  private static Map<String, AttributeValue> key(String customer, String order) {
    return Map.of("customer", s(customer), "order", s(order));
  }

  private static Map<String, AttributeValue> order(
      String customer, String number, int total, String... status) {
    Map<String, AttributeValue> item = new HashMap<>(key(customer, number));
    item.put("total", n(total));
    for (String one : status) item.put("status", s(one));
    return item;
  }

  private static List<KeySchemaElement> keys(String... names) {
    List<KeySchemaElement> schema = new ArrayList<>();
    for (String name : names) {
      KeyType type = schema.isEmpty() ? KeyType.HASH : KeyType.RANGE;
      schema.add(KeySchemaElement.builder().attributeName(name).keyType(type).build());
    }
    return schema;
  }

  private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
    return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
  }

  private static List<String> orders(List<Map<String, AttributeValue>> items) {
    return items.stream().map(item -> item.get("order").s()).toList();
  }

  private static List<String> totals(List<Map<String, AttributeValue>> items) {
    return items.stream().map(item -> item.get("total").n()).toList();
  }

  private static GetItemResponse get(Map<String, AttributeValue> key) {
    return db.getItem(get -> get.tableName(ORDERS).key(key));
  }

  private static TableDescription describe(String table) {
    return db.describeTable(describe -> describe.tableName(table)).table();
  }

  private static void createOrders(CreateTableRequest.Builder create) {
    create
        .tableName(ORDERS)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(
            attribute("customer", ScalarAttributeType.S),
            attribute("order", ScalarAttributeType.S),
            attribute("total", ScalarAttributeType.N),
            attribute("status", ScalarAttributeType.S))
        .keySchema(keys("customer", "order"))
        .localSecondaryIndexes(
            index ->
                index
                    .indexName("byTotal")
                    .keySchema(keys("customer", "total"))
                    .projection(kept -> kept.projectionType(ProjectionType.KEYS_ONLY)))
        .globalSecondaryIndexes(
            index ->
                index
                    .indexName("byStatus")
                    .keySchema(keys("status", "total"))
                    .projection(
                        kept -> kept.projectionType(ProjectionType.INCLUDE).nonKeyAttributes("note")))
        .streamSpecification(
            stream -> stream.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES))
        .tags(tag -> tag.key("stage").value("tour"))
        .deletionProtectionEnabled(true);
  }

  private static void tables() {
    step(
        "create-table",
        () -> {
          TableDescription table = db.createTable(Tour::createOrders).tableDescription();
          arn = table.tableArn();
          equal(table.tableStatus(), TableStatus.CREATING);
          claim(arn.endsWith(":table/Orders"), arn);
        });
    step(
        "create-table-again",
        () -> {
          ResourceInUseException fault =
              refused(ResourceInUseException.class, () -> db.createTable(Tour::createOrders));
          claim(fault.awsErrorDetails().errorMessage().contains(ORDERS), fault);
        });
    step(
        "wait-until-exists",
        () -> {
          db.createTable(
              create ->
                  create
                      .tableName("Audit")
                      .keySchema(keys("id"))
                      .attributeDefinitions(attribute("id", ScalarAttributeType.N))
                      .provisionedThroughput(
                          units -> units.readCapacityUnits(1L).writeCapacityUnits(1L)));
          for (String table : List.of(ORDERS, "Audit")) {
            var waited = waiter.waitUntilTableExists(wait -> wait.tableName(table));
            claim(waited.matched().response().isPresent(), waited);
          }
        });
    step(
        "describe-table",
        () -> {
          TableDescription table = describe(ORDERS);
          equal(table.tableStatus(), TableStatus.ACTIVE);
          equal(table.keySchema(), keys("customer", "order"));
          equal(table.localSecondaryIndexes().get(0).indexName(), "byTotal");
          equal(table.globalSecondaryIndexes().get(0).indexName(), "byStatus");
          equal(table.latestStreamArn(), arn + "/stream/" + table.latestStreamLabel());
        });
    step(
        "list-tables",
        () -> {
          List<List<String>> pages = new ArrayList<>();
          for (ListTablesResponse page : db.listTablesPaginator(list -> list.limit(1))) {
            if (!page.tableNames().isEmpty()) pages.add(page.tableNames());
          }
          equal(pages, List.of(List.of("Audit"), List.of("Orders")));
        });
    step("describe-limits", () -> equal(db.describeLimits().accountMaxReadCapacityUnits(), 80000L));
    step(
        "describe-endpoints",
        () -> {
          List<Endpoint> endpoints = db.describeEndpoints().endpoints();
          equal(endpoints.size(), 1);
          equal(endpoints.get(0).cachePeriodInMinutes(), 1440L);
          claim(!endpoints.get(0).address().isEmpty(), endpoints);
        });
  }

  private static SdkBytes bytes(int... values) {
    byte[] made = new byte[values.length];
    for (int i = 0; i < values.length; ++i) made[i] = (byte) values[i];
    return SdkBytes.fromByteArray(made);
  }

  /** Sets have no order. */
  private static Map<String, Object> comparable(Map<String, AttributeValue> item) {
    Map<String, Object> values = new HashMap<>(item);
    for (var entry : item.entrySet()) {
      AttributeValue value = entry.getValue();
      if (value.hasSs()) values.put(entry.getKey(), Map.of("SS", new HashSet<>(value.ss())));
      if (value.hasNs()) values.put(entry.getKey(), Map.of("NS", new HashSet<>(value.ns())));
      if (value.hasBs()) values.put(entry.getKey(), Map.of("BS", new HashSet<>(value.bs())));
    }
    return values;
  }

  private static void items() {
    Map<String, AttributeValue> allTypes = new HashMap<>(key("c1", "0001"));
    allTypes.put("total", n(12.5));
    allTypes.put("status", s("OPEN"));
    allTypes.put("bytes", AttributeValue.fromB(bytes(0, 255)));
    allTypes.put("flag", AttributeValue.fromBool(true));
    allTypes.put("nothing", AttributeValue.fromNul(true));
    allTypes.put("words", AttributeValue.fromSs(List.of("a", "b")));
    allTypes.put("numbers", AttributeValue.fromNs(List.of("1", "2")));
    allTypes.put("blobs", AttributeValue.fromBs(List.of(bytes(1), bytes(2))));
    allTypes.put("list", AttributeValue.fromL(List.of(s("x"), n(1))));
    allTypes.put("map", AttributeValue.fromM(Map.of("inner", s("y"))));
    step(
        "throttled",
        () -> {
          Map<String, AttributeValue> heavy = Map.of("id", n(1), "text", s("x".repeat(400_000)));
          db.putItem(put -> put.tableName("Audit").item(heavy));
          ProvisionedThroughputExceededException fault =
              refused(
                  ProvisionedThroughputExceededException.class,
                  () -> db.putItem(put -> put.tableName("Audit").item(heavy)));
          ThrottlingReason reason = fault.throttlingReasons().get(0);
          equal(reason.reason(), "TableWriteProvisionedThroughputExceeded");
          claim(reason.resource().endsWith(":table/Audit"), reason);
          List<WriteRequest> undone =
              List.of(
                  WriteRequest.builder()
                      .deleteRequest(delete -> delete.key(Map.of("id", n(2))))
                      .build());
          List<WriteRequest> done =
              List.of(
                  WriteRequest.builder()
                      .deleteRequest(delete -> delete.key(key("c9", "0001")))
                      .build());
          BatchWriteItemResponse written =
              db.batchWriteItem(
                  write -> write.requestItems(Map.of(ORDERS, done, "Audit", undone)));
          equal(written.unprocessedItems(), Map.of("Audit", undone));
          db.getItem(get -> get.tableName("Audit").key(Map.of("id", n(1))).consistentRead(true));
          KeysAndAttributes unread =
              KeysAndAttributes.builder().keys(List.of(Map.of("id", n(1)))).build();
          KeysAndAttributes found =
              KeysAndAttributes.builder().keys(List.of(key("c9", "0001"))).build();
          BatchGetItemResponse read =
              db.batchGetItem(get -> get.requestItems(Map.of(ORDERS, found, "Audit", unread)));
          equal(read.unprocessedKeys(), Map.of("Audit", unread));
          equal(read.responses().get(ORDERS), List.of());
        });
    step(
        "put-item",
        () -> {
          ConsumedCapacity consumed =
              db.putItem(
                      put ->
                          put.tableName(ORDERS)
                              .item(allTypes)
                              .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                  .consumedCapacity();
          equal(consumed.tableName(), ORDERS);
          equal(consumed.capacityUnits(), 3.0);
        });
    step(
        "get-item",
        () -> {
          GetItemResponse answer =
              db.getItem(
                  get ->
                      get.tableName(ORDERS)
                          .key(key("c1", "0001"))
                          .consistentRead(true)
                          .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
          equal(comparable(new HashMap<>(answer.item())), comparable(allTypes));
          equal(answer.consumedCapacity().capacityUnits(), 1.0);
        });
    step(
        "put-item-again",
        () -> {
          PutItemResponse answer =
              db.putItem(
                  put ->
                      put.tableName(ORDERS)
                          .item(order("c1", "0001", 20, "OPEN"))
                          .returnValues(ReturnValue.ALL_OLD));
          equal(answer.attributes().get("total"), n(12.5));
        });
    step(
        "update-item",
        () -> {
          UpdateItemResponse answer =
              db.updateItem(
                  update ->
                      update
                          .tableName(ORDERS)
                          .key(key("c1", "0001"))
                          .updateExpression("SET #t = #t + :five")
                          .expressionAttributeNames(Map.of("#t", "total"))
                          .expressionAttributeValues(Map.of(":five", n(5)))
                          .returnValues(ReturnValue.UPDATED_NEW));
          equal(answer.attributes(), Map.of("total", n(25)));
        });
    step(
        "condition-fails",
        () -> {
          ConditionalCheckFailedException fault =
              refused(
                  ConditionalCheckFailedException.class,
                  () ->
                      db.putItem(
                          put ->
                              put.tableName(ORDERS)
                                  .item(order("c1", "0001", 1))
                                  .conditionExpression("attribute_not_exists(customer)")
                                  .returnValuesOnConditionCheckFailure("ALL_OLD")));
          equal(fault.awsErrorDetails().errorMessage(), "The conditional request failed");
          equal(fault.item().get("total"), n(25));
        });
    step(
        "validation-fails",
        () -> {
          DynamoDbException fault =
              refused(
                  DynamoDbException.class,
                  () ->
                      db.updateItem(
                          update ->
                              update
                                  .tableName(ORDERS)
                                  .key(key("c1", "0001"))
                                  .updateExpression("SET SET")));
          equal(fault.awsErrorDetails().errorCode(), "ValidationException");
          claim(fault.getMessage().contains("Invalid UpdateExpression: "), fault);
        });
    step(
        "table-not-found",
        () -> {
          ResourceNotFoundException fault =
              refused(
                  ResourceNotFoundException.class,
                  () -> db.getItem(get -> get.tableName("Nowhere").key(Map.of("id", n(1)))));
          equal(fault.awsErrorDetails().errorMessage(), "Requested resource not found");
        });
    step(
        "batch-write",
        () -> {
          List<WriteRequest> puts =
              IntStream.rangeClosed(1, 25)
                  .mapToObj(i -> order("c2", number(i), i, i % 2 == 1 ? "DONE" : "OPEN"))
                  .map(item -> WriteRequest.builder().putRequest(put -> put.item(item)).build())
                  .toList();
          BatchWriteItemResponse answer =
              db.batchWriteItem(
                  write ->
                      write
                          .requestItems(Map.of(ORDERS, puts))
                          .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
          equal(answer.unprocessedItems(), Map.of());
          equal(answer.consumedCapacity().get(0).capacityUnits(), 75.0);
        });
    step(
        "batch-get",
        () -> {
          KeysAndAttributes wanted =
              KeysAndAttributes.builder()
                  .keys(List.of(key("c2", "0001"), key("c2", "0002"), key("c2", "0003")))
                  .projectionExpression("#o, #t")
                  .expressionAttributeNames(Map.of("#o", "order", "#t", "total"))
                  .build();
          BatchGetItemResponse answer =
              db.batchGetItem(get -> get.requestItems(Map.of(ORDERS, wanted)));
          equal(
              new HashSet<>(answer.responses().get(ORDERS)),
              new HashSet<>(
                  IntStream.rangeClosed(1, 3)
                      .mapToObj(i -> Map.of("order", s(number(i)), "total", n(i)))
                      .toList()));
          equal(answer.unprocessedKeys(), Map.of());
        });
  }

  private static void queries() {
    step(
        "query-pages",
        () -> {
          List<Integer> counts = new ArrayList<>();
          List<String> found = new ArrayList<>();
          for (QueryResponse page :
              db.queryPaginator(
                  query ->
                      query
                          .tableName(ORDERS)
                          .keyConditionExpression("customer = :c")
                          .limit(10)
                          .expressionAttributeValues(Map.of(":c", s("c2"))))) {
            counts.add(page.count());
            found.addAll(orders(page.items()));
          }
          equal(counts, List.of(10, 10, 5));
          equal(found, IntStream.rangeClosed(1, 25).mapToObj(Tour::number).toList());
        });
    step(
        "query-backwards",
        () -> {
          QueryResponse answer =
              db.query(
                  query ->
                      query
                          .tableName(ORDERS)
                          .keyConditionExpression("customer = :c AND #o > :o")
                          .limit(2)
                          .scanIndexForward(false)
                          .expressionAttributeNames(Map.of("#o", "order"))
                          .expressionAttributeValues(Map.of(":c", s("c2"), ":o", s("0010"))));
          equal(orders(answer.items()), List.of("0025", "0024"));
          equal(answer.lastEvaluatedKey(), key("c2", "0024"));
        });
    step(
        "query-index",
        () -> {
          QueryResponse answer =
              db.query(
                  query ->
                      query
                          .tableName(ORDERS)
                          .indexName("byStatus")
                          .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES)
                          .keyConditionExpression("#s = :s AND #t BETWEEN :a AND :b")
                          .expressionAttributeNames(Map.of("#s", "status", "#t", "total"))
                          .expressionAttributeValues(
                              Map.of(":s", s("DONE"), ":a", n(5), ":b", n(9))));
          equal(totals(answer.items()), List.of("5", "7", "9"));
          ConsumedCapacity consumed = answer.consumedCapacity();
          equal(consumed.globalSecondaryIndexes().get("byStatus").capacityUnits(), 0.5);
          equal(consumed.table().capacityUnits(), 0.0);
        });
    step(
        "query-local-index",
        () -> {
          QueryResponse answer =
              db.query(
                  query ->
                      query
                          .tableName(ORDERS)
                          .indexName("byTotal")
                          .consistentRead(true)
                          .keyConditionExpression("customer = :c AND #t > :t")
                          .expressionAttributeNames(Map.of("#t", "total"))
                          .expressionAttributeValues(Map.of(":c", s("c2"), ":t", n(23))));
          equal(totals(answer.items()), List.of("24", "25"));
        });
    step(
        "query-count",
        () -> {
          QueryResponse answer =
              db.query(
                  query ->
                      query
                          .tableName(ORDERS)
                          .select(Select.COUNT)
                          .keyConditionExpression("customer = :c")
                          .filterExpression("#s = :s")
                          .expressionAttributeNames(Map.of("#s", "status"))
                          .expressionAttributeValues(Map.of(":c", s("c2"), ":s", s("DONE"))));
          equal(List.of(answer.count(), answer.scannedCount()), List.of(13, 25));
        });
    step(
        "scan-pages",
        () -> {
          List<Integer> counts = new ArrayList<>();
          for (ScanResponse page : db.scanPaginator(scan -> scan.tableName(ORDERS).limit(10))) {
            if (page.count() > 0) counts.add(page.count());
          }
          equal(counts, List.of(10, 10, 6));
        });
    step(
        "scan-segments",
        () -> {
          List<Object> found = new ArrayList<>();
          for (int i = 0; i < 2; ++i) {
            int segment = i;
            db.scan(scan -> scan.tableName(ORDERS).segment(segment).totalSegments(2))
                .items()
                .forEach(item -> found.add(List.of(item.get("customer"), item.get("order"))));
          }
          equal(List.of(found.size(), new HashSet<>(found).size()), List.of(26, 26));
        });
  }

  private static Consumer<TransactWriteItemsRequest.Builder> transaction(int total) {
    return write ->
        write
            .clientRequestToken("tour-1")
            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
            .transactItems(
                action -> action.put(put -> put.tableName(ORDERS).item(order("c3", "0001", total))),
                action ->
                    action.update(
                        update ->
                            update
                                .tableName(ORDERS)
                                .key(key("c2", "0001"))
                                .updateExpression("SET #t = :t")
                                .expressionAttributeNames(Map.of("#t", "total"))
                                .expressionAttributeValues(Map.of(":t", n(100)))),
                action -> action.delete(delete -> delete.tableName(ORDERS).key(key("c2", "0025"))),
                action ->
                    action.conditionCheck(
                        check ->
                            check
                                .tableName(ORDERS)
                                .key(key("c1", "0001"))
                                .conditionExpression("attribute_exists(customer)")));
  }

  private static TransactWriteItem putNew(String customer, String number) {
    return TransactWriteItem.builder()
        .put(
            put ->
                put.tableName(ORDERS)
                    .item(order(customer, number, 1))
                    .conditionExpression("attribute_not_exists(customer)")
                    .returnValuesOnConditionCheckFailure("ALL_OLD"))
        .build();
  }

  private static void transactions() {
    step(
        "transact-write",
        () -> {
          TransactWriteItemsResponse answer = db.transactWriteItems(transaction(7));
          equal(answer.consumedCapacity().get(0).tableName(), ORDERS);
          equal(get(key("c3", "0001")).item().get("total"), n(7));
          equal(get(key("c2", "0025")).hasItem(), false);
        });
    step(
        "transact-write-again",
        () -> {
          TransactWriteItemsResponse answer = db.transactWriteItems(transaction(7));
          claim(answer.consumedCapacity().get(0).readCapacityUnits() > 0, answer);
          refused(
              IdempotentParameterMismatchException.class,
              () -> db.transactWriteItems(transaction(8)));
          equal(get(key("c3", "0001")).item().get("total"), n(7));
        });
    step(
        "transact-cancelled",
        () -> {
          TransactionCanceledException fault =
              refused(
                  TransactionCanceledException.class,
                  () ->
                      db.transactWriteItems(
                          write ->
                              write.transactItems(putNew("c3", "0002"), putNew("c3", "0001"))));
          CancellationReason none = fault.cancellationReasons().get(0);
          CancellationReason failure = fault.cancellationReasons().get(1);
          equal(List.of(none.code(), failure.code()), List.of("None", "ConditionalCheckFailed"));
          equal(failure.message(), "The conditional request failed");
          equal(failure.item().get("total"), n(7));
        });
    step(
        "transact-get",
        () -> {
          List<TransactGetItem> gets = new ArrayList<>();
          for (var key : List.of(key("c3", "0001"), key("c2", "0001"), key("c2", "0025"))) {
            gets.add(
                TransactGetItem.builder().get(get -> get.tableName(ORDERS).key(key)).build());
          }
          List<ItemResponse> found =
              db.transactGetItems(get -> get.transactItems(gets)).responses();
          equal(found.get(0).item().get("total"), n(7));
          equal(found.get(1).item().get("total"), n(100));
          equal(found.get(2).hasItem(), false);
        });
    step(
        "delete-item",
        () -> {
          DeleteItemResponse answer =
              db.deleteItem(
                  delete ->
                      delete
                          .tableName(ORDERS)
                          .key(key("c3", "0001"))
                          .returnValues(ReturnValue.ALL_OLD)
                          .returnItemCollectionMetrics(ReturnItemCollectionMetrics.SIZE));
          equal(answer.attributes().get("total"), n(7));
          ItemCollectionMetrics metrics = answer.itemCollectionMetrics();
          equal(metrics.itemCollectionKey(), Map.of("customer", s("c3")));
          equal(metrics.sizeEstimateRangeGB().size(), 2);
        });
  }

  private static ExecuteStatementResponse statement(String text, AttributeValue... parameters) {
    return db.executeStatement(
        execute ->
            execute
                .statement(text)
                .parameters(parameters.length == 0 ? null : Arrays.asList(parameters)));
  }

  private static ParameterizedStatement setNote(String customer, String more) {
    return ParameterizedStatement.builder()
        .statement(
            "UPDATE \"Orders\" SET note = 'x' WHERE customer = '"
                + customer
                + "' AND \"order\" = '0001'"
                + more)
        .build();
  }

  private static void partiql() {
    step(
        "partiql",
        () -> {
          statement(
              "INSERT INTO \"Orders\" VALUE {'customer': ?, 'order': ?, 'total': ?}",
              s("c4"), s("0001"), n(1));
          List<Integer> sizes = new ArrayList<>();
          String token = null;
          do {
            String next = token;
            ExecuteStatementResponse page =
                db.executeStatement(
                    select ->
                        select
                            .statement("SELECT * FROM \"Orders\" WHERE customer = ?")
                            .parameters(s("c2"))
                            .limit(10)
                            .nextToken(next));
            sizes.add(page.items().size());
            token = page.nextToken();
          } while (token != null);
          equal(sizes, List.of(10, 10, 4));
          ExecuteStatementResponse answer =
              statement(
                  "UPDATE \"Orders\" SET note = ? WHERE customer = ? AND \"order\" = ?"
                      + " RETURNING ALL NEW *",
                  s("fragile"), s("c4"), s("0001"));
          Map<String, AttributeValue> wanted = order("c4", "0001", 1);
          wanted.put("note", s("fragile"));
          equal(answer.items(), List.of(wanted));
        });
    step(
        "partiql-duplicate",
        () -> {
          DuplicateItemException fault =
              refused(
                  DuplicateItemException.class,
                  () ->
                      statement(
                          "INSERT INTO \"Orders\" VALUE {'customer': 'c4', 'order': '0001'}"));
          claim(!fault.awsErrorDetails().errorMessage().isEmpty(), fault);
        });
    step(
        "partiql-batch",
        () -> {
          String one = "SELECT * FROM \"%s\" WHERE customer = 'c4' AND \"order\" = '0001'";
          List<BatchStatementResponse> answers =
              db.batchExecuteStatement(
                      batch ->
                          batch.statements(
                              found -> found.statement(String.format(one, ORDERS)),
                              lost -> lost.statement(String.format(one, "Nowhere"))))
                  .responses();
          equal(answers.get(0).item().get("note"), s("fragile"));
          equal(
              answers.get(1).error().code(), BatchStatementErrorCodeEnum.RESOURCE_NOT_FOUND);
        });
    step(
        "partiql-transaction",
        () -> {
          db.executeTransaction(
              run -> run.transactStatements(setNote("c1", ""), setNote("c4", "")));
          TransactionCanceledException fault =
              refused(
                  TransactionCanceledException.class,
                  () ->
                      db.executeTransaction(
                          run ->
                              run.transactStatements(
                                  setNote("c1", " AND note = 'y'"), setNote("c4", ""))));
          equal(
              fault.cancellationReasons().stream().map(CancellationReason::code).toList(),
              List.of("ConditionalCheckFailed", "None"));
        });
  }

  private static void changes() {
    step(
        "update-table",
        () -> {
          UpdateTableResponse answer =
              db.updateTable(
                  update ->
                      update
                          .tableName(ORDERS)
                          .attributeDefinitions(attribute("note", ScalarAttributeType.S))
                          .globalSecondaryIndexUpdates(
                              change ->
                                  change.create(
                                      index ->
                                          index
                                              .indexName("byNote")
                                              .keySchema(keys("note"))
                                              .projection(
                                                  kept ->
                                                      kept.projectionType(ProjectionType.ALL)))));
          equal(answer.tableDescription().tableStatus(), TableStatus.UPDATING);
          List<GlobalSecondaryIndexDescription> indexes;
          do {
            indexes = describe(ORDERS).globalSecondaryIndexes();
          } while (!indexes.stream().allMatch(one -> one.indexStatus() == IndexStatus.ACTIVE));
          TreeSet<String> names = new TreeSet<>();
          indexes.forEach(index -> names.add(index.indexName()));
          equal(names, new TreeSet<>(List.of("byNote", "byStatus")));
          QueryResponse noted =
              db.query(
                  query ->
                      query
                          .tableName(ORDERS)
                          .indexName("byNote")
                          .keyConditionExpression("note = :n")
                          .expressionAttributeValues(Map.of(":n", s("x"))));
          equal(noted.count(), 2);
        });
    step(
        "update-capacity",
        () -> {
          for (long units : List.of(6L, 4L)) {
            UpdateTableResponse answer =
                db.updateTable(
                    update ->
                        update
                            .tableName("Audit")
                            .provisionedThroughput(
                                wanted ->
                                    wanted.readCapacityUnits(units).writeCapacityUnits(units)));
            equal(answer.tableDescription().tableStatus(), TableStatus.UPDATING);
            waiter.waitUntilTableExists(wait -> wait.tableName("Audit"));
            ProvisionedThroughputDescription shown = describe("Audit").provisionedThroughput();
            equal(
                List.of(shown.readCapacityUnits(), shown.writeCapacityUnits()),
                List.of(units, units));
          }
        });
    step(
        "deletion-protection",
        () -> {
          DynamoDbException fault =
              refused(
                  DynamoDbException.class,
                  () -> db.deleteTable(delete -> delete.tableName(ORDERS)));
          equal(fault.awsErrorDetails().errorCode(), "ValidationException");
          UpdateTableResponse answer =
              db.updateTable(update -> update.tableName(ORDERS).deletionProtectionEnabled(false));
          equal(answer.tableDescription().deletionProtectionEnabled(), false);
        });
    step(
        "tags",
        () -> {
          Tag owner = Tag.builder().key("owner").value("me").build();
          Tag stage = Tag.builder().key("stage").value("tour").build();
          db.tagResource(tag -> tag.resourceArn(arn).tags(owner));
          equal(
              new HashSet<>(db.listTagsOfResource(list -> list.resourceArn(arn)).tags()),
              new HashSet<>(List.of(owner, stage)));
          db.untagResource(tag -> tag.resourceArn(arn).tagKeys("stage"));
          equal(db.listTagsOfResource(list -> list.resourceArn(arn)).tags(), List.of(owner));
        });
    step(
        "time-to-live",
        () -> {
          UpdateTimeToLiveResponse answer =
              db.updateTimeToLive(
                  update ->
                      update
                          .tableName(ORDERS)
                          .timeToLiveSpecification(
                              wanted -> wanted.enabled(true).attributeName("expires")));
          equal(answer.timeToLiveSpecification().attributeName(), "expires");
          TimeToLiveDescription shown =
              db.describeTimeToLive(describe -> describe.tableName(ORDERS)).timeToLiveDescription();
          equal(shown.attributeName(), "expires");
          claim(
              List.of(TimeToLiveStatus.ENABLING, TimeToLiveStatus.ENABLED)
                  .contains(shown.timeToLiveStatus()),
              shown);
        });
  }

  private static void insights() {
    List<ContributorInsightsStatus> on =
        List.of(ContributorInsightsStatus.ENABLING, ContributorInsightsStatus.ENABLED);
    step(
        "contributor-insights",
        () -> {
          UpdateContributorInsightsResponse answer =
              db.updateContributorInsights(
                  update ->
                      update
                          .tableName(ORDERS)
                          .contributorInsightsAction(ContributorInsightsAction.ENABLE));
          claim(on.contains(answer.contributorInsightsStatus()), answer);
          DescribeContributorInsightsResponse shown =
              db.describeContributorInsights(describe -> describe.tableName(ORDERS));
          claim(on.contains(shown.contributorInsightsStatus()), shown);
          claim(!shown.contributorInsightsRuleList().isEmpty(), shown);
          claim(
              db.listContributorInsightsPaginator(list -> {}).stream()
                  .flatMap(page -> page.contributorInsightsSummaries().stream())
                  .anyMatch(one -> one.tableName().equals(ORDERS)),
              "not listed");
        });
    step(
        "resource-policy",
        () -> {
          String policy =
              "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\","
                  + "\"Principal\":{\"AWS\":\"000000000000\"},\"Action\":\"dynamodb:GetItem\","
                  + "\"Resource\":\""
                  + arn
                  + "\"}]}";
          String revision =
              db.putResourcePolicy(put -> put.resourceArn(arn).policy(policy)).revisionId();
          GetResourcePolicyResponse shown = db.getResourcePolicy(get -> get.resourceArn(arn));
          equal(shown.policy().replaceAll("\\s", ""), policy);
          equal(shown.revisionId(), revision);
          refused(
              PolicyNotFoundException.class,
              () ->
                  db.putResourcePolicy(
                      put -> put.resourceArn(arn).policy(policy).expectedRevisionId("1")));
          DeleteResourcePolicyResponse gone =
              db.deleteResourcePolicy(
                  delete -> delete.resourceArn(arn).expectedRevisionId(revision));
          equal(gone.revisionId(), revision);
          refused(
              PolicyNotFoundException.class,
              () -> db.getResourcePolicy(get -> get.resourceArn(arn)));
        });
  }

  private static String total(Map<String, AttributeValue> image) {
    return image.containsKey("total") ? image.get("total").n() : "";
  }

  private static void stream() {
    step(
        "streams",
        () -> {
          List<Stream> found = streams.listStreams(list -> list.tableName(ORDERS)).streams();
          equal(found.size(), 1);
          String of = found.get(0).streamArn();
          StreamDescription shown =
              streams.describeStream(describe -> describe.streamArn(of)).streamDescription();
          equal(shown.streamStatus(), StreamStatus.ENABLED);
          equal(shown.streamViewType(), StreamViewType.NEW_AND_OLD_IMAGES);
          List<String> lines = new ArrayList<>();
          for (Shard shard : shown.shards()) {
            String iterator =
                streams
                    .getShardIterator(
                        get ->
                            get.streamArn(of)
                                .shardId(shard.shardId())
                                .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
                    .shardIterator();
            for (var record : streams.getRecords(get -> get.shardIterator(iterator)).records()) {
              StreamRecord change = record.dynamodb();
              if (!change.keys().equals(key("c1", "0001"))) continue;
              lines.add(
                  record.eventName() + " " + total(change.oldImage()) + ">" + total(change.newImage()));
            }
          }
          equal(
              lines.subList(0, 3), List.of("INSERT >12.5", "MODIFY 12.5>20", "MODIFY 20>25"));
        });
  }

  private static void ending() {
    // This SDK checks each answer, and ends the call.
    step(
        "crc32",
        () -> {
          refused(Crc32MismatchException.class, () -> get(key("damaged", "once")));
          equal(get(key("damaged", "once")).hasItem(), false);
        });
    step(
        "delete-table",
        () -> {
          for (String table : List.of(ORDERS, "Audit")) {
            DeleteTableResponse answer = db.deleteTable(delete -> delete.tableName(table));
            equal(answer.tableDescription().tableStatus(), TableStatus.DELETING);
            waiter.waitUntilTableNotExists(wait -> wait.tableName(table));
          }
          equal(db.listTables().tableNames(), List.of());
        });
  }

  public static void main(String[] arguments) {
    tables();
    items();
    queries();
    transactions();
    partiql();
    changes();
    insights();
    stream();
    ending();
    System.exit(failed ? 1 : 0);
  }
}
