variable "stage" { default = "dev" }
# A game.
resource "aws_dynamodb_table" "scores" {
  name           = "GameScores-${var.stage}"
  billing_mode   = "PROVISIONED"
  read_capacity  = 20
  write_capacity = 21
  hash_key       = "UserId"
  range_key      = "GameTitle"

  attribute {
    name = "UserId"
    type = "S"
  }
  attribute {
    name = "GameTitle"
    type = "S"
  }
  attribute {
    name = "TopScore"
    type = "N"
  }
  ttl {
    attribute_name = "TimeToExist"
    enabled        = true
  }
  global_secondary_index {
    name               = "GameTitleIndex"
    hash_key           = "GameTitle"
    range_key          = "TopScore"
    write_capacity     = 10
    read_capacity      = 11
    projection_type    = "INCLUDE"
    non_key_attributes = ["UserId"]
  }
  tags = { Name = "scores", Environment = upper(var.stage) }
}
